"""Ends with 0 while the site in this container answers and its database with it."""

import http.client
import os
import sys

# The site knows itself by its public name alone, and takes every request for one that came over TLS through the proxy.
host = os.environ["TOUCHSTONE_ALLOWED_HOSTS"].split(",")[0].strip().lstrip(".")
connection = http.client.HTTPConnection("127.0.0.1", 8000, timeout=4)
connection.request("GET", "/health", headers={"Host": host, "X-Forwarded-Proto": "https"})
sys.exit(connection.getresponse().status != http.HTTPStatus.OK)
