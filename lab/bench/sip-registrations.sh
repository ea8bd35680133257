#!/bin/sh
# Measures SIP registrars: sip/registrations.py says how.
#
#   lab/bench/sip-registrations.sh --help
exec python3 "$(dirname "$0")/sip/registrations.py" "$@"
