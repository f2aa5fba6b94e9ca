"""An nginx of the tests' own, with the file that is shipped: the machine's, else Debian's package, unpacked."""

import datetime as dt
import os
import shutil
import subprocess
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tests.services.errors import ServiceMissing
from tools import place

OURS = "/etc/letsencrypt/live/touchstone.example.org"
MAIN = """\
daemon off; pid {folder}/pid; error_log {folder}/error.log warn; worker_processes 1;{user}
events {{ worker_connections 1024; }}
http {{
    access_log off; client_body_temp_path {folder}/bodies; proxy_temp_path {folder}/replies;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    include {folder}/touchstone.conf;
}}
"""


def find_or_unpack(folder: Path) -> Path:
    """The package is only unpacked: nothing of it is installed, and no service starts."""
    if there := shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin"):
        return Path(there)
    if shutil.which("apt-get") and shutil.which("dpkg"):
        fetch = ["apt-get", "--quiet", "--quiet", "download", "nginx"]
        if subprocess.run(fetch, cwd=folder, capture_output=True, check=False).returncode and os.geteuid() == 0:
            subprocess.run(["apt-get", "--quiet", "--quiet", "update"], capture_output=True, check=False)
            subprocess.run(fetch, cwd=folder, capture_output=True, check=False)
        for package in folder.glob("nginx_*.deb"):
            subprocess.run(["dpkg", "-x", package, folder / "nginx"], check=True)
            return folder / "nginx" / "usr" / "sbin" / "nginx"
    raise ServiceMissing("No nginx was found: install it ('apt-get install nginx').")


def write_configuration(folder: Path, port: int, site: int) -> Path:
    """The shipped file with ports of this machine and a certificate made here; nothing else is changed."""
    shipped = (place.ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    changes = {
        "listen 80;": f"listen {place.HOST}:{place.free_port()};",
        "listen 443 ssl;": f"listen {place.HOST}:{port} ssl;",
        "    listen [::]:80;\n": "",
        "    listen [::]:443 ssl;\n": "",
        OURS: str(folder),
        "http://127.0.0.1:8000": f"http://{place.HOST}:{site}",
    }
    for old, new in changes.items():
        assert old in shipped, old
        shipped = shipped.replace(old, new)
    (folder / "touchstone.conf").write_text(shipped)
    write_certificate(folder / "fullchain.pem", folder / "privkey.pem")
    main = folder / "nginx.conf"
    main.write_text(MAIN.format(folder=folder, user=" user root;" if os.geteuid() == 0 else ""))
    return main


def refusal_of(binary: Path, main: Path) -> str:
    """What `nginx -t` has against the configuration; nothing where it takes it without a warning."""
    tried = subprocess.run(
        [binary, "-t", "-q", "-e", "stderr", "-c", main], capture_output=True, text=True, check=False
    )
    return tried.stderr


def write_certificate(certificate: Path, key: Path) -> None:
    """For the shipped name, signed by itself, good for a day."""
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "touchstone.example.org")])
    now = dt.datetime.now(dt.UTC)
    made = x509.CertificateBuilder(name, name, private.public_key(), x509.random_serial_number())
    made = made.not_valid_before(now - dt.timedelta(hours=1)).not_valid_after(now + dt.timedelta(days=1))
    certificate.write_bytes(made.sign(private, hashes.SHA256()).public_bytes(Encoding.PEM))
    key.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
