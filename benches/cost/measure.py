"""What N tools cost to compile: Rover's three sides together against rmcp's one and against plain functions.

Usage: python3 benches/cost/measure.py [--tools 10,100,400] [--runs 3] [--size]

Every variant declares the same tools of three arguments. `plain` is the functions and the derives alone; `rmcp` adds one
MCP server; `rover` adds definitions and registry, the worker's proxies, and the server's dispatch, in three crates.
Dependencies are built before anything is timed. What is reported is CPU time of cargo and its children, since that is
what another load on the machine disturbs least; each figure is the median of the runs.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess

import generate

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PACKAGES = {
    "plain": ["plain"],
    "rmcp": ["rmcp-peer"],
    "rover": ["rover-tools", "rover-server", "rover-worker"],
}


def main() -> None:
    options = arguments()
    rows = []
    for count in options.tools:
        project = options.work / str(count)
        generate.write(project, ROOT, count)
        bench = Bench(project, options.work / "target")
        for variant in PACKAGES:
            rows.append(row(bench, variant, count, options.runs))
            print(json.dumps(rows[-1]), flush=True)
    table(rows)
    if options.size:
        sizes(options)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", type=lambda text: [int(part) for part in text.split(",")], default=[10, 100, 400])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--size", action="store_true", help="release sizes of worker and server as well")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "target" / "cost")
    options = parser.parse_args()
    if options.runs < 1 or any(count < 1 for count in options.tools):
        parser.error("--tools and --runs take whole numbers from 1")
    return options


class Bench:
    """One generated project and the folder it is built in."""

    def __init__(self, project: pathlib.Path, target: pathlib.Path) -> None:
        self.project = project
        # No wrapper and no incremental cache of the caller's may answer in the compiler's place.
        self.env = {**os.environ, "CARGO_TARGET_DIR": str(target), "CARGO_INCREMENTAL": "0", "RUSTC_WRAPPER": ""}

    def warm(self, packages: list[str]) -> None:
        """Builds what these packages need. Which features a dependency has depends on what is built with it."""
        for command in ("build", "check"):
            self.cargo(command, *selected(packages))

    def cargo(self, *args: str, incremental: bool = False) -> float:
        """Runs cargo and answers the CPU seconds of everything it started."""
        env = {**self.env, "CARGO_INCREMENTAL": "1" if incremental else "0"}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(["cargo", *args], cwd=self.project, env=env, capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            raise SystemExit(f"cargo {' '.join(args)} failed in {self.project}:\n{done.stderr}")
        return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)

    def afresh(self, command: str, packages: list[str]) -> float:
        """The packages' own cost: their output is thrown away, their dependencies stay."""
        self.cargo("clean", *selected(packages))
        return self.cargo(command, *selected(packages))

    def after_an_edit(self, packages: list[str], turn: int) -> float:
        generate.edit_one_tool(self.project, packages[0], turn)
        return self.cargo("build", *selected(packages), incremental=True)


def selected(packages: list[str]) -> list[str]:
    return [part for package in packages for part in ("--package", package)]


def row(bench: Bench, variant: str, count: int, runs: int) -> dict:
    packages = PACKAGES[variant]
    bench.warm(packages)
    build = [bench.afresh("build", packages) for _ in range(runs)]
    check = [bench.afresh("check", packages) for _ in range(runs)]
    bench.cargo("build", *selected(packages), incremental=True)
    edit = [bench.after_an_edit(packages, turn) for turn in range(runs)]
    medians = {"build": build, "check": check, "edit": edit}
    return {"tools": count, "variant": variant} | {name: round(statistics.median(of), 2) for name, of in medians.items()}


def table(rows: list[dict]) -> None:
    print("\n| tools | variant | build | check | one tool edited | build against rmcp |\n| --- | --- | --- | --- | --- | --- |")
    rmcp = {row["tools"]: row["build"] for row in rows if row["variant"] == "rmcp"}
    for row in rows:
        ratio = row["build"] / rmcp[row["tools"]]
        print(f"| {row['tools']} | {row['variant']} | {row['build']} s | {row['check']} s | {row['edit']} s | {ratio:.2f} |")


def sizes(options: argparse.Namespace) -> None:
    """Bytes a tool, from the difference of the smallest and the largest project, so that what both carry cancels out."""
    few, many = min(options.tools), max(options.tools)
    if few == many:
        raise SystemExit("--size compares two projects: give two numbers in --tools")
    print("\n| binary | bytes a tool (release, stripped) |\n| --- | --- |")
    for binary in ("rover-worker", "rover-server", "rmcp-peer"):
        grown = [size(options.work, count, binary) for count in (few, many)]
        print(f"| {binary} | {(grown[1] - grown[0]) / (many - few):.0f} |")


def size(work: pathlib.Path, count: int, binary: str) -> int:
    target = work / "target"
    bench = Bench(work / str(count), target)
    # The projects share a target folder and names, so what one left there would pass for the other's.
    packages = next(packages for packages in PACKAGES.values() if binary in packages)
    bench.cargo("clean", "--release", *selected(packages))
    bench.cargo("build", "--release", "--package", binary)
    return (target / "release" / binary).stat().st_size


if __name__ == "__main__":
    main()
