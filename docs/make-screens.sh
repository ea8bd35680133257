#!/usr/bin/env bash
# Draws docs/browse-*.svg and docs/threads.svg from runs in tmux: offhook browse with the samples, and offhook threads
# with a proxy that this script starts on loopback and ends. OFFHOOK names another command than ./offhook.
set -euo pipefail
cd "$(dirname "$0")/.."
offhook=${OFFHOOK:-./offhook}
work=$(mktemp -d)
proxy=
phones=
trap 'kill $proxy $phones 2>/dev/null || true; tmux -S "$work/tmux" kill-server 2>/dev/null || true; rm -rf "$work"' EXIT

screen() {
  env -u NO_COLOR -u COLORFGBG -u TMUX LC_ALL=C.UTF-8 tmux -u -S "$work/tmux" "$@"
}

# Opens a window of $1 columns and $2 rows with the command that follows.
open_window() {
  screen -f /dev/null new-session -d -x "$1" -y "$2" "OFFHOOK_TTY=12 COLORTERM= TERM=tmux-256color $3"
}

# Waits until the window shows the text.
until_shown() {
  for _ in $(seq 600); do
    screen capture-pane -p | grep -qF -- "$1" && return 0
    sleep 0.1
  done
  echo "make-screens: $1 was not shown" >&2
  screen capture-pane -p >&2
  return 1
}

# Draws the window into docs/$1.svg below the command $2.
draw() {
  screen capture-pane -e -N -p | python3 docs/make-picture.py "$2" >"docs/$1.svg"
  echo "docs/$1.svg"
}

open_window 112 16 "$offhook browse --utc samples/calls.pcap"
until_shown 'walter'
draw browse-list 'offhook browse samples/calls.pcap'
screen kill-server
open_window 112 40 "$offhook browse --utc samples/lossy.pcap"
until_shown 'alice'
screen send-keys Enter
until_shown 'RTP PCMA'
until_shown 'BYE'
draw browse-call 'offhook browse samples/lossy.pcap'
screen send-keys Enter
until_shown 'INVITE sip:'
screen send-keys Escape
until_shown 'Enter message'
screen send-keys t
until_shown 'Jitter ms'
screen resize-window -x 112 -y 23
until_shown 'from caller'
draw browse-streams 'offhook browse samples/lossy.pcap'
screen kill-server

# One that registers 2,000 phones again and again, for a minute at most.
registrations() {
  python3 - <<'END'
import socket, time
phone = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
phone.bind(('127.0.0.1', 0))
phone.settimeout(0.2)
end, n = time.monotonic() + 60, 0
while time.monotonic() < end:
    n += 1
    user, contact = f'u{n % 2000}@127.0.0.1', '127.0.0.1:%d' % phone.getsockname()[1]
    phone.sendto((f'REGISTER sip:127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP {contact};branch=z9hG4bK{n}\r\nMax-Forwards: 70\r\n'
                  f'From: <sip:{user}>;tag={n}\r\nTo: <sip:{user}>\r\nCall-ID: {user}\r\nCSeq: {n} REGISTER\r\n'
                  f'Contact: <sip:{n % 2000}@{contact}>\r\nExpires: 300\r\nContent-Length: 0\r\n\r\n').encode(),
                 ('127.0.0.1', 5060))
    try:
        phone.recv(4000)
    except OSError:
        pass
END
}

$offhook proxy --no-rehearsal >"$work/proxy" &
proxy=$!
for _ in $(seq 600); do grep -q listening "$work/proxy" && break; sleep 0.1; done
registrations &
phones=$!
open_window 132 26 "$offhook threads $proxy"
until_shown 'Run queue'
sleep 22
draw threads 'offhook threads proxy'
screen kill-server
kill "$phones"
wait "$phones" 2>/dev/null || true
