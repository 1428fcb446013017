"""RULES 9: what is wrong with a text that is no JSON is said in words of our own, which can be translated."""

import pytest

from engine.notation import FormatError, decode_json


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a value is expected"),
        ("[1, x]", "a value is expected"),
        ("{a: 1}", "a key in double quotes is expected"),
        ('{"a" 1}', "a colon is expected"),
        ("[1 2]", "a comma is expected"),
        ("{} {}", "something follows the end"),
        ('["a', "a text is not closed"),
        ('"a\x01"', "a text holds a control character"),
        (r'"\q"', "there is no such escape"),
        (r'"\u12g4"', r"four hexadecimal digits must follow \u"),
    ],
)
def test_a_text_that_is_no_json_is_refused_in_translatable_words(text: str, reason: str) -> None:
    with pytest.raises(FormatError) as caught:
        decode_json(text)
    assert caught.value.detail.params == {"reason": {"sentence": reason, "params": {}}}
    assert str(caught.value.detail) == f"this is not JSON: {reason}"
