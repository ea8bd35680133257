#!/usr/bin/env bash
# Makes calls.pcap and lossy.pcap anew: real calls between pairs of sipp processes on loopback, recorded by tcpdump.
#
#   samples/make-samples.sh [FOLDER]      (where to put them; this folder unless named)
#
# Needs root (tcpdump, and sipp's raw socket for media) and sipp with PCAP play, tcpdump, tshark, editcap and a Java from 17
# on: on Debian, apt-get install sip-tester tcpdump tshark. Takes 75 s. Nothing leaves the machine: every address is in
# 127.0.0.0/8. It ends only the processes that it started. On a busy machine the streams get more jitter than they should:
# sipp and tcpdump run with higher priority for that reason.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
target=$(mkdir -p "${1:-$here}" && cd "${1:-$here}" && pwd)
work=$(mktemp -d)
pids=()
cleanup() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap cleanup EXIT
for tool in sipp tcpdump tshark editcap java; do
    command -v "$tool" >/dev/null || { echo "make-samples: $tool is missing" >&2; exit 1; }
done
[ "$(id -u)" = 0 ] || { echo "make-samples: needs root" >&2; exit 1; }
mkdir "$work/classes"
javac -d "$work/classes" "$here/Audio.java"

# audio NAME LAW SSRC FIRST_SEQUENCE FIRST_TIMESTAMP SECONDS TUNE [DIGITS]: what one party says
audio() { java -XX:TieredStopAtLevel=1 -cp "$work/classes" Audio "$@"; }

# ua ADDRESS FOLDER SCENARIO DURATION_MS TRANSPORT ARGUMENTS...: one party, for one call
ua() {
    local address=$1 folder=$2 scenario=$3 duration=$4 transport=$5
    shift 5
    # a scenario names its sound by file name; sipp looks beside the scenario
    sed "s/SIP\/2.0 486 Busy Here/SIP\/2.0 ${status:-486 Busy Here}/" "$here/scenarios/$scenario.xml" >"$work/$folder/$scenario.xml"
    (cd "$work/$folder" && exec nice -n -15 sipp -sf "$scenario.xml" -i "$address" -mi "$address" -p 5060 -t "$transport" -m 1 \
        -d "$duration" -mp "$port" -timeout 45s -timeout_error -nostdin -au "$caller" -ap secret "$@" >"$scenario.log" 2>&1)
}

# call START_S NAME CALLER_ADDRESS CALLEE_ADDRESS CALLER_SCENARIO MS CALLEE_SCENARIO MS [TRANSPORT [STATUS]]
# with $caller, $name, $callee, $law (8 or 0) and $codec: starts both parties at the given second
call() {
    local start=$1 folder=$2 from=$3 to=$4 asks=$5 asks_ms=$6 answers=$7 answers_ms=$8 transport=${9:-u1} status=${10:-}
    local keys=(-key caller "$caller" -key callee "$callee" -key name "$name" -key law "$law" -key codec "$codec")
    mkdir -p "$work/$folder"
    (
        sleep "$start"
        ua "$to" "$folder" "$answers" "$answers_ms" "$transport" "${keys[@]}" &
        callee_pid=$!
        sleep 0.7
        result=0
        ua "$from" "$folder" "$asks" "$asks_ms" "$transport" "${keys[@]}" "$to:5060" || result=$?
        wait "$callee_pid" || result=$?
        exit "$result"
    ) &
    pids+=($!)
    names+=("$folder")
}
names=()
both() { # both FOLDER SECONDS CALLER_TUNE CALLEE_TUNE SSRC_DIGIT [DIGITS]: sound for both parties
    mkdir -p "$work/$1"
    local law=pcma
    [ "$codec" = PCMU ] && law=pcmu
    audio "$work/$1/caller.pcap" $law "5eed0${5}01" $((21000 + 0x$5 * 977)) $((0x$5 * 160000)) "$2" "$3" "${6:-}"
    audio "$work/$1/callee.pcap" $law "5eed0${5}02" $((42000 + 0x$5 * 811)) $((0x$5 * 480000)) "$2" "$4"
}
law=8 codec=PCMA port=20000

# the sound, before the clock starts
both good 8 0 1 1
codec=PCMU both menu 7 2 3 2 "1#4077*"
both oneway 6 0 1 3
both tcp 5 2 1 4
both challenged 7 0 3 5
both slow 5 2 3 6
both announced 3 4 4 7
mkdir -p "$work/held"
audio "$work/held/caller-1.pcap" pcma 5eed0801 30000 0 3 0
audio "$work/held/caller-2.pcap" pcma 5eed0801 30150 24000 3 2
audio "$work/held/caller-3.pcap" pcma 5eed0801 30300 48000 3 0
audio "$work/held/callee-1.pcap" pcma 5eed0802 50000 96000 3 1
audio "$work/held/callee-3.pcap" pcma 5eed0802 50150 144000 3 1

nice -n -15 tcpdump -i lo -s 0 -B 8192 -w "$work/all.pcap" 'net 127.0.1.0/24' 2>"$work/tcpdump.log" &
tcpdump_pid=$!
pids+=("$tcpdump_pid")
for _ in $(seq 50); do grep -q listening "$work/tcpdump.log" && break; sleep 0.1; done

caller=alice callee=alice name=Alice
call 0 registration 127.0.1.10 127.0.1.1 phone-registers 0 registrar 0
caller=alice callee=bob name=Alice
call 2 good 127.0.1.11 127.0.1.12 caller 8200 callee 2400
caller=+442079460123 callee=+441632960000 name="London office" law=0 codec=PCMU
call 8 menu 127.0.1.21 127.0.1.22 caller-waits 0 callee-hangs-up 900
law=8 codec=PCMA
caller=carol callee=dave name=Carol
call 12 busy 127.0.1.31 127.0.1.32 caller-rejected 0 callee-rejects 150 u1 "486 Busy Here"
caller=erin callee=frank name=Erin
call 15 declined 127.0.1.41 127.0.1.42 caller-rejected 0 callee-rejects 3100 u1 "603 Decline"
caller=grace callee=heidi name=Grace
call 20 cancelled 127.0.1.51 127.0.1.52 caller-cancels 5200 callee-cancelled 0
caller=judy callee=+12025550143 name=Judy
call 24 oneway 127.0.1.61 127.0.1.62 caller 6200 callee-silent 1800
caller=+12025550171 callee=+12025550199 name=Workshop
call 28 unanswered 127.0.1.71 127.0.1.72 caller-rejected 0 callee-rejects 9000 u1 "480 Temporarily Unavailable"
caller=ivan callee=olivia name=Ivan
call 33 tcp 127.0.1.81 127.0.1.82 caller 5200 callee 1200 t1
caller=peggy callee=victor name=Peggy
call 37 challenged 127.0.1.91 127.0.1.92 caller-challenged 0 callee-challenges 2000
caller=bob callee=carol name=Bob
call 42 held 127.0.1.101 127.0.1.102 caller-holds 0 callee-held 1500
caller=trent callee=+441632960961 name=Trent
call 47 slow 127.0.1.111 127.0.1.112 caller 5200 callee-slow 800
caller=walter callee=+12025550100 name=Walter
call 53 announced 127.0.1.121 127.0.1.122 caller-rejected 0 callee-announces 3300

failed=0
for i in "${!names[@]}"; do
    pid=${pids[$((i + 1))]}
    wait "$pid" || { echo "make-samples: ${names[$i]} went wrong:" >&2; tail -n 40 "$work/${names[$i]}"/*.log >&2; failed=1; }
done
sleep 2 # tcpdump gets packets from the kernel up to a second late
kill -INT "$tcpdump_pid"
wait "$tcpdump_pid" || true
pids=()
[ "$failed" = 0 ] || exit 1

cp "$work/all.pcap" "$target/calls.pcap"

# lossy.pcap: the first call alone, as behind a bad line: of the callee's packets each 13th is gone, and a burst of 9
tshark -r "$target/calls.pcap" -Y 'ip.addr == 127.0.1.11 && ip.addr == 127.0.1.12' -w "$work/one.pcap" -F pcap 2>/dev/null
drop=$(tshark -r "$work/one.pcap" -d udp.port==20000,rtp -Y 'rtp && ip.src == 127.0.1.12' -T fields -e frame.number 2>/dev/null |
    awk 'NR % 13 == 0 || NR > 200 && NR < 210')
# shellcheck disable=SC2086 # one argument for each number
editcap -F pcap "$work/one.pcap" "$target/lossy.pcap" $drop >/dev/null
# what README.md says of them
count() { tshark -r "$1" -Y "$2" -T fields -e "${3:-frame.number}" 2>/dev/null | sort -u | wc -l; }
expect() { [ "$2" = "$3" ] || { echo "make-samples: $1 is $2 and not $3" >&2; exit 1; }; }
expect "number of Call-IDs" "$(count "$target/calls.pcap" sip sip.Call-ID)" 13
expect "number of BYEs" "$(count "$target/calls.pcap" 'sip.Method == BYE')" 7
expect "number of RTP streams" "$(count "$target/calls.pcap" rtp rtp.ssrc)" 14
expect "number of malformed packets" "$(count "$target/calls.pcap" '_ws.malformed || icmp')" 0
expect "packets of bob in lossy.pcap" "$(count "$target/lossy.pcap" 'rtp && ip.src == 127.0.1.12')" 362
chmod 644 "$target/calls.pcap" "$target/lossy.pcap"
ls -l "$target"/*.pcap
