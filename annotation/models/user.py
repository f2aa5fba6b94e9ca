"""Researchers: the people who sign in. Annotators never do."""

from uuid import uuid4

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
