#!/bin/sh
# One knob at a time against the same load: sip/lessons.py says how.
#
#   lab/bench/sip-lessons.sh --help
exec python3 "$(dirname "$0")/sip/lessons.py" "$@"
