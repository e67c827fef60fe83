"""The command line of the engine; needs no Django.

python -m rulesengine play scenario.toml --seed 7 [--log FILE] [--json]
python -m rulesengine odds scenario.toml [--seed 7] [--points 3] [--most 10000] [--processes 2]
python -m rulesengine packs [FOLDER]           which packs there are, and their scenarios
python -m rulesengine replay | audit | rerun battle.json [--key HEX]
python -m rulesengine ask question.json|-      "map" may be the path of a scenario
python -m rulesengine coverage [RULESET] [--summary] [--json]
python -m rulesengine validate PACK|SCENARIO
python -m rulesengine schema RULESET pack|oob|battlefield|pack-scenario   a pack's own files
python -m rulesengine schema RULESET scenario|result|log|question         canonical documents
python -m rulesengine schema RULESET question --kind "rally"              one kind of question
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Iterable
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from rulesengine import aar, asking, coverage, listing, loader, odds, proof, registry
from rulesengine.contract import Answer
from rulesengine.dice import KEY_BYTES, key_of_seed
from rulesengine.documents import BadDocument, BattleLog, Proven, bytes_of, read
from rulesengine.explain import IDLE
from rulesengine.loader import looking
from rulesengine.loader.reading import did_you_mean
from rulesengine.loader.schemas import FILES, file_schema
from rulesengine.odds import INTERRUPTED, Fault, print_json
from rulesengine.pack import Fault as Doubt
from rulesengine.play import Endless, play
from rulesengine.quantities import many


def main(arguments: list[str] | None = None) -> int:
    """Run one command; 0 done, 1 a fault that is said, 2 wrong usage, 130 interrupted."""
    if sys.stderr is None:  # closed: what is meant for it must not come among the answers
        sys.stderr = io.StringIO()
    options = _read(arguments)
    if sys.stdout is None:
        print("rulesengine: the output is closed: nobody would read the answer", file=sys.stderr)
        return 1
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except (Fault, BadDocument, loader.BadPack, proof.Disproved, Endless) as fault:
        print(fault, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        sys.stdout = None  # who reads has had enough: no more flushes
        return 0
    except FileNotFoundError as fault:
        print(f"rulesengine: there is no file {fault.filename}", file=sys.stderr)
        return 1
    except OSError as fault:
        print(f"rulesengine: {fault}", file=sys.stderr)
        _leave_unprinted()
        return 1
    except (registry.UnknownRuleset, coverage.NoIndex, coverage.BadIndex) as fault:
        print(f"rulesengine: {fault}", file=sys.stderr)
        return 1
    return status


def _leave_unprinted() -> None:
    """On a full disk what is left would be tried, and fail, once more at the very end."""
    try:
        sys.stdout.flush()
    except OSError:
        sys.stdout = None


def _read(arguments: list[str] | None) -> argparse.Namespace:
    """The command with its options; an option it has not is refused in its own words."""
    options, strange = _parser().parse_known_args(arguments)
    if strange:
        verb: argparse.ArgumentParser = options.verb
        known = [name for action in verb._actions for name in action.option_strings]
        option = next((word.partition("=")[0] for word in strange if word[:1] == "-"), "")
        mend = f" {did_you_mean(option, known)}" if option else ""
        verb.error(f"this command has no {' '.join(strange)}.{mend}")
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m rulesengine", description="Fight and explain.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    _add_play(commands)

    odds.add_to(commands)

    listing.add_to(commands)

    for name, run, says in (
        ("replay", _replay, "fold a battle's log and print its report"),
        ("audit", _audit, "check every die of a log against its key"),
        ("rerun", _rerun, "fight it again and compare the hashes"),
    ):
        verb = commands.add_parser(name, help=says)
        verb.add_argument("battle", type=Path)
        verb.add_argument("--key", default="", help="hex; only if the battle is still sealed")
        verb.set_defaults(run=run)

    rulesets = registry.keys()
    kinds = sorted(one.kind for key in rulesets for one in asking.questions(key))
    ask = commands.add_parser(
        "ask",
        help="answer a rule question, or a list of them",
        description=f"There are questions about {', '.join(kinds)}. An example of each is in "
        "docs/questions, its JSON Schema in docs/schemas.",
    )
    ask.add_argument("question", type=Path, help="a file in JSON; - is what stands on the input")
    ask.add_argument("--ruleset", default="ost")
    ask.add_argument("--json", action="store_true")
    ask.set_defaults(run=_ask)

    rules = commands.add_parser("coverage", help="which rules of the book are played and proven")
    rules.add_argument("ruleset", nargs="?", default="")
    rules.add_argument("--summary", action="store_true")
    rules.add_argument("--json", action="store_true")
    rules.set_defaults(run=_coverage)

    check = commands.add_parser("validate", help="check a pack folder, or one scenario")
    check.add_argument("pack", type=Path)
    check.set_defaults(run=_validate)

    schema = commands.add_parser(
        "schema",
        help="print the JSON Schema of a pack's file or of a document",
        description="pack, oob, battlefield and pack-scenario are the TOML files of a pack; "
        "scenario, result, log and question are the canonical documents in JSON, where a "
        "scenario has its map, sides and forces in itself.",
    )
    schema.add_argument("ruleset")
    schema.add_argument("document", choices=(*FILES, "scenario", "result", "log", "question"))
    schema.add_argument("--kind", default="", help="one kind of question")
    schema.set_defaults(run=_schema)
    for verb in commands.choices.values():
        verb.set_defaults(verb=verb)
    return parser


def _add_play(commands: Any) -> None:
    fight = commands.add_parser("play", help="fight a scenario and print the after-action report")
    fight.add_argument("scenario", type=Path)
    fight.add_argument("--seed", default="1", help="the dice: a number or any words")
    fight.add_argument("--log", type=Path, help="write the battle, for replay, audit and rerun")
    fight.add_argument("--json", action="store_true", help="print the result document instead")
    fight.add_argument(
        "--show",
        choices=tuple(SHOWN),
        default="all",
        help="everything that happened, what mattered or turning points alone",
    )
    fight.set_defaults(run=_play)


def _play(options: argparse.Namespace) -> int:
    scenario = loader.load_scenario(options.scenario)
    key = key_of_seed(options.seed)
    proven = play(scenario, key)
    if options.log:
        revealed = msgspec.structs.replace(proven, key=key.hex())
        options.log.write_bytes(msgspec.json.encode(revealed))
    if options.json:
        print_json({**msgspec.to_builtins(proven.result), "hash": proven.hash})
        return 0
    _print_report(proven.log, SHOWN[options.show])
    print(f"hash {proven.hash}")
    return 0


SHOWN = {"all": IDLE, "notable": 1, "turning": 2}
"""How much of a battle is told: the least weight of a line."""


def _print_report(log: BattleLog, least: int = IDLE) -> None:
    for entry in aar.report(log):
        if entry.line.weight >= least:
            print(aar.in_words(entry, full=least > IDLE))


def _battle(options: argparse.Namespace) -> tuple[Proven, bytes]:
    with options.battle.open("rb") as file:
        proven = read(bytes_of(file, str(options.battle)), Proven, str(options.battle))
    text = options.key or proven.key
    try:
        key = bytes.fromhex(text)
    except ValueError as error:
        raise Fault(f"--key: {text!r} is not hexadecimal") from error
    return proven, key


def _key(key: bytes) -> bytes:
    if not key:
        raise Fault("this battle is sealed: give its key with --key, or wait for the reveal")
    if len(key) != KEY_BYTES:
        raise Fault(f"--key: a key has {KEY_BYTES} bytes, this one has {len(key)}")
    return key


def _replay(options: argparse.Namespace) -> int:
    proven, _ = _battle(options)
    proof.replayed(proven)
    proof.sealed(proven)
    _print_report(proven.log)
    print(f"replay holds: {many(len(proven.log.events), 'event')}, hash {proven.hash}")
    return 0


def _audit(options: argparse.Namespace) -> int:
    proven, key = _battle(options)
    dice = proof.audit(proven.log, _key(key))
    proof.sealed(proven)
    print(f"audit holds: {dice} dice are those of the tape")
    return 0


def _rerun(options: argparse.Namespace) -> int:
    proven, key = _battle(options)
    again = proof.rerun(proven, _key(key))
    print(f"rerun holds: hash {again.hash}")
    return 0


def _ask(options: argparse.Namespace) -> int:
    rules = registry.ruleset(options.ruleset)
    piped = options.question == Path("-")
    name = "question" if piped else str(options.question)
    with nullcontext(sys.stdin.buffer) if piped else options.question.open("rb") as source:
        text = bytes_of(source, name)
    asking.refuse(options.ruleset, text, name)
    text = asking.with_maps(options.ruleset, text, name)
    kind: Any = rules.question_type
    several = text.lstrip().startswith(b"[")
    asked: Any = read(text, list[kind] if several else kind, name)
    answers = [rules.adjudicate(question) for question in (asked if several else [asked])]
    if options.json:
        told = [_answer_document(answer) for answer in answers]
        print_json(told if several else told[0])
        return 0
    for answer in answers:
        _print_answer(answer)
    return 0


def _print_answer(answer: Answer) -> None:
    print(f"{answer.question}: {answer.text} [{', '.join(answer.rules)}]")
    for step in answer.steps:
        print(f"  {step}")
    for modifier in answer.modifiers:
        print(f"  {modifier.amount:+d} {modifier.name} [{modifier.rule}]")
    for chance in answer.chances:
        print(f"  {_share(chance.share)} {chance.outcome}")


LONGEST_FRACTION = 21
"""Characters of a fraction on a line for people: more say nothing that the percentage does not."""


def _share(share: Fraction) -> str:
    """ "5/6 = 83.3%"; a fraction too long to read is left out, what is rare has two digits."""
    percent = f"{float(share):.1%}" if share >= Fraction(1, 1000) else f"{float(share * 100):.2g}%"
    exact = str(share)
    return f"{exact} = {percent}" if len(exact) <= LONGEST_FRACTION else percent


def _answer_document(answer: Answer) -> dict[str, Any]:
    """An answer as JSON. Each chance has its `exact` fraction in lowest terms, as text, since
    readers of JSON round long numbers, and the same as a `decimal` of six digits."""
    document: dict[str, Any] = msgspec.to_builtins(answer)
    document["chances"] = [
        {
            "outcome": chance.outcome,
            "exact": str(chance.share),
            "decimal": float(f"{float(chance.share):.6g}"),
        }
        for chance in answer.chances
    ]
    return document


def _coverage(options: argparse.Namespace) -> int:
    keys = [options.ruleset] if options.ruleset else list(registry.keys())
    for key in keys:
        report = coverage.report(key)
        if options.json:
            print_json(_coverage_lists(report))
        else:
            print((coverage.summary if options.summary else coverage.text)(report))
    return 0


def _coverage_lists(report: coverage.Coverage) -> dict[str, Any]:
    """The whole rulebook as one total and four lists of rule ids."""
    states = ("proven", "not_applicable", "untested", "missing")
    lists = {s: [r for chapter in report.chapters for r in getattr(chapter, s)] for s in states}
    return {"ruleset": report.ruleset, "total": report.total, **lists}


def _validate(options: argparse.Namespace) -> int:
    if options.pack.is_file():
        scenario = loader.load_scenario(options.pack)
        print(f"{scenario.key}: {scenario.title}: all right")
        _print_doubts(looking.look_over(scenario))
        return 0
    pack = loader.load_pack(options.pack)
    words = many(len(pack.scenarios), "scenario")
    print(f"{pack.head.key}: {pack.head.title}: all right, {words}")
    _print_doubts(looking.worth_a_look(pack))
    return 0


def _print_doubts(doubts: Iterable[Doubt]) -> None:
    for at, doubt in enumerate(doubts):
        if not at:
            print("Worth a look:")
        print(f"  {doubt}")


def _schema(options: argparse.Namespace) -> int:
    if options.kind and options.document != "question":
        raise Fault("--kind is for the document question")
    if options.kind:
        print_json(asking.schema(options.ruleset, options.kind))
    elif options.document in FILES:
        print_json(file_schema(options.ruleset, options.document))
    else:
        kind = registry.document_type(options.ruleset, options.document)
        print_json(msgspec.json.schema(kind))
    return 0


if __name__ == "__main__":
    sys.exit(main())
