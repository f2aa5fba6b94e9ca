"""What tests need beside Python: PostgreSQL, Valkey, a Celery worker, Chromium. Found or started, and always ended."""
