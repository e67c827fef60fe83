"""The form that makes a campaign from a pack: names, house rules, options."""

from __future__ import annotations

from typing import Any

from django import forms

from campaigns.models.campaign import SIDE_NAME

CARRY = {
    "reduced": (
        "Reduced squads after a fight",
        (("stay", "stay reduced"), ("refit", "are refitted")),
    ),
    "merge_reduced": (
        "Two reduced squads of a type with a leader",
        (("yes", "reform into one"), ("no", "stay two")),
    ),
    "morale": ("Morale after a fight", (("recovers", "recovers"), ("stays", "stays as it was"))),
    "lost_weapons": (
        "Weapons that were lost",
        (("lost", "are lost"), ("replaced", "are replaced")),
    ),
    "lost_leaders": (
        "Leaders who fell",
        (("lost", "are lost"), ("replaced", "are replaced")),
    ),
}
SWITCH = {"yes": True, "no": False}


class CampaignForm(forms.Form):
    """Everything has a value already, so that each step may be skipped."""

    title = forms.CharField(label="Name of the campaign", max_length=120)
    public = forms.BooleanField(
        label="Anyone may read the chronicle (scores and published reports, no strengths)",
        required=False,
    )
    opponent_comments = forms.BooleanField(
        label="Both sides may comment on battle reports", required=False, initial=True
    )
    organiser_side = forms.ChoiceField(label="I myself", required=False)

    def __init__(self, head: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.head = head
        self.fields["title"].initial = head["title"]
        for side in head["sides"]:
            self.fields[f"side_{side['key']}"] = forms.CharField(
                label=f"Name of the side “{side['name']}”",
                max_length=SIDE_NAME,
                initial=side["name"],
            )
        for key, (label, choices) in CARRY.items():
            printed = head["carry"][key]
            if isinstance(printed, bool):
                printed = "yes" if printed else "no"
            self.fields[f"carry_{key}"] = forms.ChoiceField(
                label=label, choices=choices, initial=printed
            )
        sides = [
            (s["key"], f"command the {s['name']} and see only that side") for s in head["sides"]
        ]
        self.fields["organiser_side"].choices = [("", "referee, and see everything"), *sides]  # type: ignore[attr-defined]

    def names(self) -> list[forms.BoundField]:
        return [self[f"side_{side['key']}"] for side in self.head["sides"]]

    def house_rules(self) -> list[forms.BoundField]:
        return [self[f"carry_{key}"] for key in CARRY]

    def arguments(self) -> dict[str, Any]:
        """What the operation takes."""
        data = self.cleaned_data
        return {
            "title": data["title"],
            "side_names": {s["key"]: data[f"side_{s['key']}"] for s in self.head["sides"]},
            "options": {
                "public": data["public"],
                "opponent_comments": data["opponent_comments"],
            },
            "carry": {key: SWITCH.get(data[f"carry_{key}"], data[f"carry_{key}"]) for key in CARRY},
            "organiser_side": data["organiser_side"],
        }
