"""A second, independent solver of the race, from the rules alone: makes the other files here.

    python3 tests/data/race/solve.py

No index and no symmetry: positions are tuples in a dictionary, every one of the domain, and
values spread backwards from the ends of play by counters, as in textbook retrograde analysis.
Shares nothing with the Rust code.
"""

import collections
import itertools
import os
import random

HERE = os.path.dirname(os.path.abspath(__file__))


def successors(position, width):
    """The positions after each move; None for taking in row A."""
    mover, rows = position[0], position[1:]
    for number, name in enumerate("ABCD"):
        red, black = rows[number]
        if name == "A":
            columns = [red + 1] if mover == "r" else [black - 1]
        elif name in "BC":
            columns = range(0, black) if mover == "r" else range(red + 1, width)
        else:
            columns = [red - 1] if mover == "r" else [black + 1]
        for column in columns:
            own, enemy = (red, black) if mover == "r" else (black, red)
            if column == own or not 0 <= column < width:
                continue
            if column == enemy:
                assert name == "A"
                yield None
                continue
            pair = (column, black) if mover == "r" else (red, column)
            yield ("b" if mover == "r" else "r", *rows[:number], pair, *rows[number + 1:])


def solve(width):
    half = width // 2
    pairs = list(itertools.combinations(range(width), 2))
    halves = list(itertools.product(range(half), range(half, width)))
    positions = list(itertools.product("rb", pairs, pairs, pairs, halves))
    value, depth = {}, {}
    open_moves, before = {}, collections.defaultdict(list)
    queue = collections.deque()
    ones = []
    for position in positions:
        after = list(successors(position, width))
        if None in after:
            ones.append(position)
            continue
        open_moves[position] = len(after)
        for child in after:
            before[child].append(position)
        if not after:
            value[position], depth[position] = "loss", 0
            queue.append(position)
    # Losses in 0 stand in the queue before wins in 1, so distances only grow along it.
    for position in ones:
        value[position], depth[position] = "win", 1
        queue.append(position)
    while queue:
        child = queue.popleft()
        for parent in before[child]:
            if parent in value:
                continue
            if value[child] == "loss":
                value[parent] = "win"
            else:
                open_moves[parent] -= 1
                if open_moves[parent]:
                    continue
                value[parent] = "loss"
            depth[parent] = depth[child] + 1
            queue.append(parent)
    return positions, value, depth


def text(position, width):
    def run(length):
        return str(length) if length else ""

    rows = [
        run(red) + "r" + run(black - red - 1) + "b" + run(width - 1 - black)
        for red, black in position[1:]
    ]
    return "/".join(rows) + " " + position[0]


def main():
    random.seed(4)
    source = "# Computed by solve.py beside this file, which shares nothing with the Rust code.\n"
    histogram = open(os.path.join(HERE, "histogram.tsv"), "w")
    samples = open(os.path.join(HERE, "samples.tsv"), "w")
    histogram.write(source + "#columns\tvalue\tdepth\tpositions\n")
    samples.write(source + "#position\tvalue\tdepth\n")
    for width in (4, 6, 8):
        positions, value, depth = solve(width)
        counts = collections.Counter(
            (value.get(position, "draw"), depth.get(position)) for position in positions
        )
        for (outcome, plies), count in sorted(counts.items()):
            histogram.write(f"{width}\t{outcome}\t{plies}\t{count}\n")
        for position in random.sample(positions, 300):
            row = (text(position, width), value.get(position, "draw"), depth.get(position))
            samples.write("\t".join(map(str, row)) + "\n")


if __name__ == "__main__":
    main()
