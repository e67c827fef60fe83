"""Plain dataclasses for pages, API and print, already cut to their viewer.

    from campaigns.reports import overview, battle, ...

`viewer` comes from `projection.viewer_for(seat, preview)`; `preview` is a side's key with which
a referee looks through that side's eyes.

overview   home(user) -> HomeReport(.campaigns .archived .needs) · campaign(seat, preview)
           -> CampaignReport · packs() -> (PackCard, ...)
seats      members(seat) -> MembersReport(.seats .invitations .manages)
oob        oob(viewer, campaign, as_of) -> OobReport(.sides[].formations[].units[].elements)
           · difference(viewer, campaign, first, last) -> DifferenceReport(.changes[].lines)
units      unit(seat, unit_id, preview) -> UnitReport(.row .strength .losses .ledger .told)
battle     battle(seat, battle_id, preview) -> BattleReport(.forces .facts .job .proof .comments
           .may) · preview(seat, battle_id) -> PreviewReport(.plan_hash .blocks .warnings .tallies
           .entries .levels .aar .changes .postable) · job(seat, job_id) -> JobReport
           · result_form(seat, battle_id) -> dict · battle_aar(seat, battle_id, preview)
           -> AarReport | None
forces     Fact SideForce ForceUnit StayingUnit: what BattleReport and BattleSheet hold
aar        AarReport(.lines[].text .rules .modifiers .units .weight; .losses .points .posted
           .proof) · aar(viewer, battle)
history    history(viewer, campaign) -> HistoryReport · standings(viewer, campaign)
           · journal(viewer, kind, turn, limit, before) -> (JournalRow, ...)
           · posting(viewer, posting) -> PostingReport
luck       luck(viewer, campaign) -> LuckReport(.sides[].whole .kinds[].gain .fair; .battles)
chronicle  chronicle(campaign) -> Chronicle(.steps[].chapters[].report .moments .scored), as the
           public reads it · open_campaigns() -> (Campaign, ...)
roster     roster(viewer, campaign, side_key, as_of) -> RosterReport
           · battle_sheet(seat, battle_id, preview) -> BattleSheet
"""
