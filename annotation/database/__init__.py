"""What the databases need beside Django's models: triggers, bulk inserts, races, the horizon of commits."""
