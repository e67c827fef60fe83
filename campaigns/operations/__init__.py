"""The only writers. One file per noun; every function is keyword-only and typed.

    from campaigns.operations import battles, campaigns, ...

Order in each: lock, fetch and check access, validate, decide, write, journal. What is refused
raises `refusals.Refused` (`.why` a sentence, `.rule`, `.path`); what may not be seen raises
`refusals.NotFound`, which Django answers with 404. `*_id` are public ids (`uid`).

packs        load(folder) -> InstalledPack · install(pack)
campaigns    create_from_pack(user, pack_key, title, side_names, options, carry,
             organiser_side) -> Seat · rename(seat, title, side_names) · set_options(seat, options)
             · archive(seat) · unarchive(seat) · purge(seat, typed_title)
members      invite(seat, role, side_key, note, days) -> Invited(.invitation, .token)
             · look_at(token) -> Invitation · accept(user, token) -> Seat
             · revoke(seat, invitation_id) · change_seat(seat, seat_id, role, side_key)
             · hand_over(seat, seat_id) · remove(seat, seat_id)
             · password_reset_link(seat, seat_id) -> ResetLink(.uidb64, .token)
turns        open_next(seat) -> Turn | None (None: the ladder has ended)
battles      plan_battle(seat) -> Battle · choose_detachment(seat, battle_id, side_key,
             picks=[(unit uid, {element: count})]) · lock_forces(seat, battle_id)
             · unlock_forces · cancel_battle · request_resolve -> Job · play_at_table
             · leave_table · save_draft(seat, battle_id, document) · draft_of -> dict
             · enter_result(seat, battle_id, document, note) -> Result (referee, whole battle)
             · overrule(seat, battle_id, document, reason) · result_of -> dict
             · comment(seat, battle_id, text, kind) · reveal_key -> hex · preview -> Plan
             · forces(seat, battle_id, side_key) -> Muster
table_reports report_side(seat, battle_id, document) -> Result | None (a player, own side)
battle_postings post_result(seat, battle_id, plan_hash) -> Posting · impact(seat, posting_id)
             -> Impact(.later_battles, .later_postings, .negative, .clear)
             · reverse_posting(seat, posting_id, reason) · reverse_battle(seat, battle_id, reason)
             The posting of a battle that stands is `models.Posting.standing_for(battle)`.
corrections  correct_battle(seat, battle_id, document, reason, plan_hash) -> Posting
             · try_correction(seat, battle_id, document, reason) -> PreviewReport (dry)
adjustments  adjust(seat, unit_id, element, condition, quantity, reason, key)
             · award(seat, side_key, points, reason, key) — `key` makes a double click one act
oob          attach(seat, unit_id, formation_id, reason) · set_level(seat, unit_id, kind, value,
             reason) · note(seat, text)
jobs         cancel(seat, job_id) · reap() · enqueue(task, ...)
resolution   resolve(job_id): the worker's part
"""
