"""What somebody reads in an answer, apart from keys and addresses that change at every run."""

import re


def reads_number(text: str, number: int) -> bool:
    """Whether a number stands in a page or a document as one that is read: a secret key or an address may hold it."""
    return re.search(rf'(?<=[>"\s:]){number}(?=[<"\s,}}\]])', text) is not None
