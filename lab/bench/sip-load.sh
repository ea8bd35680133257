#!/bin/sh
# Measures SIP proxies under load, with sipp on both sides: sip/load.py says how.
#
#   lab/bench/sip-load.sh --help
exec python3 "$(dirname "$0")/sip/load.py" "$@"
