"""What `cargo bench -p yose-go --bench records -- FILE.sgf` does, from Python: batches.py FILE.sgf

Wall clock, median of 15 rounds, one thread. The package must be installed as a release.
"""

import statistics
import sys
import time

from yose.go import encode, read_sgf


def median(work):
    times = []
    for _ in range(15):
        start = time.perf_counter()
        result = work()
        # The Rust program frees its arrays too.
        del result
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main():
    data = open(sys.argv[1], "rb").read()
    records = read_sgf(data)
    nodes = sum(map(len, records))
    seconds = median(lambda: read_sgf(data))
    print(f"{'read':<20} {len(data) / 1e6 / seconds:7.1f} MB/s {seconds / nodes * 1e9:7.1f} ns a node")
    boards = [record.board() for record in records]
    for planes in ("agz", "alphago"):
        for name in ("all", "last"):
            positions = len(encode(boards, planes=planes, positions=name))
            seconds = median(lambda: encode(boards, planes=planes, positions=name, threads=1))
            print(f"{planes:<8} {name:<4} {seconds / positions * 1e6:9.3f} microseconds a position")


if __name__ == "__main__":
    main()
