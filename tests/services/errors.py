"""What the services' failures are called."""


class ServiceMissing(Exception):
    """A test needs something that isn't here and can't be got; the message says what to install."""
