"""Dealing an order out to groups as a snake does, and keeping apart those who should be."""

from collections.abc import Callable, Sequence

Shy = Callable[[int, int], bool]
"""Whether two should not come into one group."""


def snake(order: Sequence[int], sizes: Sequence[int], shy: Shy) -> list[list[int]]:
    """Deal `order` out row by row, there and back, to groups of these sizes.

    Inside a row two change places where fewer who are shy of each other then share a group, nearest first: so that
    every group keeps one of each row. Each change takes away at least one such pair, which bounds them.
    """
    groups: list[list[int]] = [[] for _ in sizes]
    dealt = 0
    for row in range(max(sizes, default=0)):
        open_groups = [group for group, size in enumerate(sizes) if size > row]
        if row % 2:
            open_groups.reverse()
        members = list(order[dealt : dealt + len(open_groups)])
        dealt += len(members)
        _part(members, [groups[group] for group in open_groups], shy)
        for group, member in zip(open_groups, members, strict=True):
            groups[group].append(member)
    return groups


def _part(members: list[int], groups: Sequence[Sequence[int]], shy: Shy) -> None:
    """Change members of a row with each other as long as that takes away pairs who are shy of each other."""

    def clashes(member: int, group: int) -> int:
        return sum(shy(member, other) for other in groups[group])

    place = 0
    while place < len(members):
        own = clashes(members[place], place)
        nearest = sorted(range(len(members)), key=lambda other: abs(other - place)) if own else []
        for other in nearest:
            before = own + clashes(members[other], other)
            if clashes(members[place], other) + clashes(members[other], place) < before:
                members[place], members[other] = members[other], members[place]
                place = -1  # from the start: what was stuck may be free now
                break
        place += 1
