"""Opaque ids for addresses: random, so that neither a gap nor an order can be read from them."""

from __future__ import annotations

import secrets

from django.db import models

LENGTH = 20


def new_public_id() -> str:
    """Twenty hex digits, eighty random bits."""
    return secrets.token_hex(LENGTH // 2)


class Public(models.Model):
    """A row with an address of its own. `uid` goes into addresses, `pk` never does."""

    uid = models.CharField(max_length=LENGTH, unique=True, default=new_public_id, editable=False)

    class Meta:
        abstract = True
