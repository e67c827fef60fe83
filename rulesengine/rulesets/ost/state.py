"""The table: every counter, marker and track of a battle, as integers.

Counters are numbered as the scenario lists its elements; each fact about them is a list by
that number. Only `evolve.py` changes any of it. What a side may know is kept beside the truth:
`known[side]` holds a counter's hex as that side sees it, -1 for what it does not see.
`changes` grows by one number for every counter something happened to, so that a doctrine can
tell which of its cached thoughts are stale.
"""

from __future__ import annotations

from rulesengine.rulesets.ost.catalogue import TYPES
from rulesengine.rulesets.ost.flights import lay_flights
from rulesengine.rulesets.ost.frames import Frame
from rulesengine.rulesets.ost.ground import Ground, ground_of
from rulesengine.rulesets.ost.kinds import (
    CATEGORY,
    ELITE,
    FIREPOWER,
    LEADER,
    MOBILE,
    POOR,
    RANGE,
    SINGLE_PERSONS,
    SNIPER,
    STEPS,
    TRAIT_BITS,
    TRAITS,
    VEHICLE,
    WEAPON,
    kind_of,
)
from rulesengine.rulesets.ost.recasts import recasts_of
from rulesengine.rulesets.ost.scenario import OstScenario, SideTerms

OFF = -1
NONE = -1

GOOD, SHAKEN, BROKEN = range(3)
MORALE_NAMES = ("good order", "shaken", "broken")

SETUP, REFORM, PLAY, MELEE, OVER = range(5)

MOVING, FIGHTING, LANDING, CARD = range(4)

MGS_OUT, MAIN_OUT, IMMOBILE, HULL_OUT, STUCK = 1, 2, 4, 8, 16
"""Bits of a vehicle's damage; HULL_OUT is the hull gun of two, STUCK is bogged for good, which
leaves crew and armament whole. OST 29.4, 9.3.4, 23.5.7."""
DAMAGE = MGS_OUT | MAIN_OUT | IMMOBILE | HULL_OUT
DAMAGE_AT_START = {"machine guns out": MGS_OUT, "main gun out": MAIN_OUT, "immobilised": IMMOBILE}

EVADE, CONCENTRATE, STRIKE, RETREAT, DUEL = range(5)

FALLING, CHOOSING, SPILLED = range(3)
"""Stages of a landing, see frames.py. OST 26.3, 26.4.15."""

AFTER, AGAINST = range(2)
"""When a luck card is asked for: after one's own action, against the enemy's. OST 3.3.3, 3.3.4."""


class State:
    """See the module's docstring. Lists are by counter unless they say otherwise."""

    __slots__ = (
        "acquired",
        "active",
        "aloft",
        "armour",
        "arrival",
        "arrivals",
        "assaulted",
        "attached",
        "bogged",
        "captured",
        "cards",
        "cards_shown",
        "changes",
        "clearing",
        "control",
        "control_at",
        "covers",
        "damage",
        "dimmed",
        "displaced",
        "done",
        "ending",
        "exit_points",
        "exited",
        "extended",
        "facing",
        "fired",
        "firer_of",
        "first_play",
        "flights",
        "flown",
        "frames",
        "freight",
        "fresh_melees",
        "ground",
        "gut",
        "held",
        "hex",
        "hidden",
        "holder",
        "ids",
        "impulses",
        "kind",
        "known",
        "leader",
        "leaders",
        "loss_points",
        "lost_to",
        "main_fired",
        "manning",
        "melee_queue",
        "melees",
        "merged_into",
        "mined",
        "missions",
        "mobile",
        "morale",
        "moved",
        "mute",
        "names",
        "of_side",
        "options",
        "phase",
        "pillboxes",
        "present",
        "quality",
        "queue",
        "recast",
        "reforming",
        "riding",
        "rolling",
        "scenario",
        "shelter",
        "side",
        "silent",
        "smoke",
        "sorties",
        "spent_statistic",
        "stacks",
        "start_conditions",
        "start_side",
        "start_steps",
        "start_types",
        "steps",
        "street",
        "strikes",
        "turn",
        "unit_ids",
        "unmanned",
        "unseen",
        "veils",
        "vp",
        "waiting",
        "weapon",
        "works",
        "wrecks",
    )

    def __init__(self, scenario: OstScenario) -> None:
        self.scenario = scenario
        self.ground: Ground = ground_of(scenario.ground)
        self.options = scenario.options
        self._number(scenario)
        count = len(self.kind)
        self.hex = [OFF] * count
        """Where each counter is; OFF before set-up and after its end. A support weapon's hex is
        that of its carrier."""
        self.known = ([OFF] * count, [OFF] * count)
        self.hidden = [False] * count
        self.morale = [GOOD] * count
        self.moved = [False] * count
        self.assaulted = [False] * count
        self.fired = [0] * count
        self.done = [False] * count
        """Fired intensively: no further action this turn."""
        self.facing = [0] * count
        self.leader = [NONE] * count
        """The leader attached to a unit."""
        self.attached = [NONE] * count
        """The unit a leader is attached to."""
        self.weapon = [NONE] * count
        """The support weapon a unit carries."""
        self.holder = [NONE] * count
        """The unit that carries a support weapon."""
        self.firer_of = [NONE] * count
        """The unit that used a support weapon this turn. OST 10.0.10."""
        self.spent_statistic = [0] * count
        """Attacks made, a statistic only."""
        self._lay_armour(count)
        self._lay_arrivals(scenario)
        self.merged_into: dict[int, int] = {}
        """Squads that went into another. OST 18.2."""
        self.stacks: dict[int, list[int]] = {}
        """Per hex the units and leaders in it, support weapons apart."""
        self.melees: dict[int, int] = {}
        """Per melee hex the side that assaulted."""
        self.fresh_melees: set[int] = set()
        """Melee hexes marked this turn, closed to others. OST 30.1.4."""
        self.melee_queue: list[int] = []
        """Melee hexes still to be fought this phase."""
        self.frames: list[Frame] = []
        self.changes: list[int] = []
        self.turn = scenario.turns
        self.extended = False
        self.phase = SETUP
        self.queue = [i for i, _ in sorted(enumerate(scenario.terms), key=lambda t: t[1].order)]
        """Sides that still have to set up."""
        self.reforming = NONE
        self.active = NONE
        self.first_play = False
        self.impulses = [0, 0]
        self.loss_points = [0, 0]
        """Enemy casualty points suffered by each side."""
        self.vp = [0, scenario.victory.handicap]
        self.ending: tuple[int, str] | None = None
        self.gut = [terms.gut_check for terms in self.terms()]
        self._lay_control(scenario)
        self._lay_field()

    def _lay_control(self, scenario: OstScenario) -> None:
        """Who holds the control hexes. OST 3.2."""
        places, keys = scenario.control, [side.key for side in scenario.sides]
        self.control = [keys.index(p.owner) if p.owner else NONE for p in places]
        self.control_at = {self.ground.grid.find(p.hex): i for i, p in enumerate(places)}

    def _lay_field(self) -> None:
        """Battlefield markers, put down by `works.lay_out`, and support from off the map. OST 13,
        32, 33."""
        self.works: dict[int, int] = {}
        """Per hex its marker, as an index in MARKERS; wrecks and smoke apart."""
        self.mined: dict[int, tuple[int, bool]] = {}
        """Per hex with mines: (whose they are, whether they are found). OST 13.3."""
        self.covers: dict[int, int] = {}
        """Per hex with cover the side that found it. OST 13.1.3."""
        self.clearing: dict[int, tuple[int, int]] = {}
        """By engineers at work: (their hex, that of the obstacle). OST 6.1.3."""
        self.pillboxes: dict[int, int] = {}
        """Per hex with a pillbox the hexside it faces. OST 13.5.8."""
        self.unseen: dict[int, tuple[int, int]] = {}
        """Per hex of a bunker or cover that lies hidden: (whose it is, its kind). OST 21.0.2."""
        self.smoke: dict[int, int] = {}
        """Per hex the turn of its smoke, 1 or 2. OST 13.9.2."""
        self.shelter: dict[int, tuple[int, int]] = {}
        """Per hex what markers, wrecks and smoke add to Defense: (on foot, for vehicles)."""
        self.veils: dict[int, int] = {}
        """Per hex with something that dims a line beside its terrain: 1, or 2 for smoke."""
        self.missions = [[b.missions for b in terms.artillery] for terms in self.terms()]
        """Per side and battery the missions left. OST 33."""
        self.silent: set[tuple[int, int]] = set()
        """(side, battery) that cannot be called this turn. OST 2.1.p4."""
        self.sorties = [terms.air_strikes for terms in self.terms()]
        """Per side the air strikes left. OST 32."""
        self.strikes: list[tuple[int, int, int]] = []
        """(hex, firepower, side) of strikes that go on to the turn's end. OST 33.4.9."""
        self.cards: list[list[int]] = [[], []]
        """Per side the luck cards in its hand, by code: secret until they are played. OST 3.3."""
        self.cards_shown: list[tuple[int, int, int]] = []
        """(side, code, hex or OFF) of those played this turn."""
        self._lay_transport()

    def _lay_transport(self) -> None:
        """Who rides on what, see `carriage.py`, and who has left the map. OST 23.2, 24, 23.6.4."""
        self.riding: dict[int, int] = {}
        self.rolling: dict[int, int] = {}
        self.freight: dict[int, int] = {}
        self.mute: set[int] = set()
        self.exited: list[int] = []
        self.exit_points = [0, 0]
        self.street: set[int] = set()
        """Foot units in the road of a hex with road and house; see `streets.py`. OST 16.6."""

    def _lay_armour(self, count: int) -> None:
        """What only vehicles and guns have."""
        self.displaced = [False] * count
        """Has come into another hex this turn; a pivot is a move, but not this. OST 8.0.10."""
        self.damage = [self._damage_at_start(c) for c in range(count)]
        """Bits of what is out of order on a vehicle."""
        self.bogged = [False] * count
        self.main_fired = [0] * count
        """Times a vehicle fired a main armament this turn. OST 9.4."""
        self.acquired: set[tuple[int, int]] = set()
        """(firer, vehicle it fired at this turn and has not lost sight of). OST 29.2."""
        self.wrecks: dict[int, int] = {}
        """Per hex how many. OST 13.10."""
        self.dimmed: dict[tuple[int, ...], int] = {}
        """Lines of sight through veils already worked out, by both hexes and levels."""
        self.lost_to: dict[int, str] = {}
        """Vehicles that are wrecks now, by the `why` of the event; support weapons that were
        destroyed, not used up, and how."""
        self.unmanned: dict[int, int] = {}
        """Anti-tank guns without a crew, and their hex. OST 8.0.2."""
        self.manning: dict[int, tuple[int, int]] = {}
        """Squads that man a gun: (the gun's counter, their own type). OST 8.0.3."""
        self.captured = [False] * count
        """Units that fight with an enemy gun. OST 8.0.3."""
        self.armour = any(CATEGORY[kind] == VEHICLE for kind in self.kind)
        """Whether there are vehicles in this battle at all."""
        self.mobile = any(TRAITS[kind] & MOBILE for kind in self.kind)
        """Whether there are mobile troops; nobody becomes one. OST 6.2."""

    def _lay_arrivals(self, scenario: OstScenario) -> None:
        """Reinforcements. OST 2.1.p2, 23.6."""
        numbers: dict[tuple[int, tuple[int, ...]], int] = {}
        of_unit: dict[str, int] = {}
        for coming in scenario.arrivals:
            when = (scenario.turns + 1 - coming.turn, self.ground.grid.area(coming.at))
            number = numbers.setdefault(when, len(numbers))
            of_unit |= dict.fromkeys(coming.units, number)
        self.arrivals = tuple(numbers)
        """(turn as the track counts it down, hexes) from and at which counters may enter."""
        self.arrival = [of_unit.get(key, NONE) for key in self.unit_ids]
        """By counter: its index in `arrivals`, or NONE if it is there from the start."""
        self.waiting = {
            c
            for c, coming in enumerate(self.arrival)
            if coming != NONE and CATEGORY[self.kind[c]] != WEAPON
        }
        """Units and leaders that have not entered yet."""
        self._lay_flights()

    def _lay_flights(self) -> None:
        self.flights = lay_flights(self)
        """What comes by air, in the order it flies. OST 26."""
        self.flown = [OFF] * len(self.flights)
        """By flight the hex it is set up in, OFF before and after. OST 26.2.2."""
        self.aloft = NONE
        """The flight that is over the map now."""

    def terms(self) -> list[SideTerms]:
        """What the scenario says of each side, in the order of the sides."""
        by_side = {terms.side: terms for terms in self.scenario.terms}
        return [by_side[side.key] for side in self.scenario.sides]

    def _number(self, scenario: OstScenario) -> None:
        """Give every element of the forces its number."""
        keys = [side.key for side in scenario.sides]
        self.recast = recasts_of(scenario)
        self.kind: list[int] = []
        self.side: list[int] = []
        self.steps: list[int] = []
        self.quality: list[int] = []
        self.ids: list[str] = []
        self.unit_ids: list[str] = []
        self.names: list[str] = []
        self.start_conditions: tuple[str, ...] = tuple(
            element.condition
            for force in scenario.forces
            for unit in force.units
            for element in unit.elements
        )
        for force in scenario.forces:
            side = keys.index(force.side)
            for unit in force.units:
                types = [element.type for element in unit.elements]
                for at, element in enumerate(unit.elements):
                    printed = kind_of(unit.name, element.type)
                    kind = self.recast.get(printed, printed)
                    traits = TRAITS[kind] & ~(ELITE | POOR) if unit.quality else TRAITS[kind]
                    self.kind.append(kind)
                    self.side.append(side)
                    self.steps.append(1 if element.condition == "reduced" else STEPS[kind])
                    self.quality.append(traits | TRAIT_BITS.get(unit.quality, 0))
                    self.ids.append(element.id)
                    self.unit_ids.append(unit.id)
                    title = TYPES[kind].title.partition(" (")[0]
                    if types.count(element.type) > 1:
                        title += f" {types[: at + 1].count(element.type)}"
                    self.names.append(f"{title} ({unit.name})")
        self.start_side = tuple(self.side)
        self.start_types = tuple(self.kind)
        self.start_steps = tuple(self.steps)
        counters = range(len(self.kind))
        self.of_side = tuple(
            tuple(c for c in counters if self.side[c] == s and CATEGORY[self.kind[c]] != WEAPON)
            for s in (0, 1)
        )
        """Per side its units and leaders, support weapons apart."""
        self.leaders = tuple(
            tuple(c for c in mine if CATEGORY[self.kind[c]] == LEADER) for mine in self.of_side
        )
        """Per side its leaders; nobody becomes one."""
        self.present: tuple[list[int], list[int]] = ([], [])
        """Per side those of them that are on the map, in the order of their numbers."""
        self.held = [0, 0]
        """Per side the hexes they are in, a bit for each hex."""

    def _damage_at_start(self, c: int) -> int:
        return DAMAGE_AT_START.get(self.start_conditions[c], 0)

    # --- questions that many chapters ask -----------------------------------------------------

    def is_single(self, c: int) -> bool:
        """A leader or a sniper. OST 7.0."""
        return CATEGORY[self.kind[c]] in SINGLE_PERSONS

    def alive(self, side: int) -> list[int]:
        """Units and leaders of a side that are on the map."""
        return self.present[side].copy()

    def may_enter(self, c: int) -> bool:
        """Whether a counter off the map can come onto it by now. OST 2.1.p2, 23.6.3."""
        return c in self.waiting and self.turn <= self.arrivals[self.arrival[c]][0]

    def in_hex(self, h: int, side: int) -> list[int]:
        return [c for c in self.stacks.get(h, ()) if self.side[c] == side]

    def acts(self, c: int) -> int:
        """Limited actions taken this turn. OST 22."""
        return self.moved[c] + self.assaulted[c] + self.fired[c]

    def locked(self, c: int) -> bool:
        """In a melee hex. OST 30.1.3."""
        return self.hex[c] in self.melees

    def good_leader(self, unit: int) -> int:
        """The good order leader attached to a unit, or NONE. OST 7.2.6."""
        leader = self.leader[unit]
        return leader if leader != NONE and self.morale[leader] == GOOD else NONE

    def room(self, h: int, side: int, units: int, leaders: int = 0) -> bool:
        """Whether so many more fit the stacking limit; riders are part of their vehicle, 20.0.3.
        OST 20.0.1, 7.1.2."""
        sides, kinds = self.side, self.kind
        for c in self.stacks.get(h, ()):
            if sides[c] == side:
                category = CATEGORY[kinds[c]]
                if category == LEADER:
                    leaders += 1
                elif category != SNIPER and c not in self.riding:
                    units += 1
        return units <= 2 and leaders <= 2

    def figures(self, c: int) -> tuple[int, int]:
        """(firepower, range) of a unit as it is."""
        kind, steps = self.kind[c], self.steps[c]
        return FIREPOWER[kind][steps], RANGE[kind][steps]


class View:
    """What one side knows: the lists of the state, with `hex` as that side sees it.

    Enemy counters are found through `enemies()`, which leaves out those it does not see.
    """

    __slots__ = ("hex", "side", "state", "theirs")

    def __init__(self, state: State, side: int) -> None:
        self.state = state
        self.side = side
        self.hex = state.known[side]
        self.theirs = state.of_side[1 - side]

    def enemies(self) -> list[int]:
        """Enemy units and leaders this side sees."""
        hexes = self.hex
        return [c for c in self.state.present[1 - self.side] if hexes[c] != OFF]
