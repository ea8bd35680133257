#!/bin/sh
# Millions of transactions through the proxy, then nothing: what is left of them. sip/soak.py says how.
#
#   lab/bench/sip-soak.sh --help
exec python3 "$(dirname "$0")/sip/soak.py" "$@"
