package io.offhook.cli.reproduce;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A leg as scenario of sipp: both scripts, the media of both sides, and how long it takes.
 *
 * @param caller the script that begins
 * @param callee the script that answers
 * @param callerTrack what the caller plays, on the timeline
 * @param calleeTrack what the callee plays
 * @param media the media lines of both
 * @param isTcp whether it is played over TCP
 * @param isIpv6 whether it is played over IPv6, as it was captured
 */
record Reproduction(
        Script caller,
        Script callee,
        Track callerTrack,
        Track calleeTrack,
        MediaLines media,
        boolean isTcp,
        boolean isIpv6) {
    static final String RUN = "run.sh";
    static final String README = "README.txt";

    /** The only address that IPv6 has on loopback: the sides have ports of their own. */
    static final String LOOPBACK6 = "::1";

    /** A connection that the other side closes at its end is no failure. */
    private static final String TCP = "t1 -reconnect_close false -max_reconnect 100";

    private static final int SLACK_S = 20;

    /**
     * How a leg is played.
     *
     * @param longestPauseNs the longest pause between two messages
     * @param isTcp whether over TCP
     * @param captureEndNs the end of the capture, nanoseconds since the epoch
     */
    record Settings(long longestPauseNs, boolean isTcp, long captureEndNs) {}

    /** Makes the scenario of a leg. */
    static Reproduction of(CallLeg leg, Track ofCaller, Track ofCallee, Settings settings) {
        Timeline timeline = ScenarioMaker.timeline(leg, settings.longestPauseNs);
        Track caller = ofCaller.on(timeline);
        Track callee = ofCallee.on(timeline);
        Set<Integer> played = new TreeSet<>(caller.lines());
        played.addAll(callee.lines());
        MediaLines media = new MediaLines(leg.messages(), played);
        ScenarioMaker maker = new ScenarioMaker(leg, media, timeline, settings.captureEndNs);
        Script callerScript = maker.script(true, caller, callee);
        Script calleeScript = maker.script(false, callee, caller);
        return new Reproduction(
                callerScript,
                calleeScript,
                caller,
                callee,
                media,
                settings.isTcp,
                !leg.caller().isIpv4());
    }

    /** The longest that it takes, in seconds: all pauses, and time to begin. */
    long mostSeconds() {
        return (Math.max(pausesMs(caller), pausesMs(callee)) + 999) / 1000 + SLACK_S;
    }

    private static long pausesMs(Script script) {
        return script.steps().stream()
                .mapToLong(step -> switch (step) {
                    case Step.Pause pause -> pause.ms();
                    case Step.Await await -> await.ms();
                    default -> 0;
                })
                .sum();
    }

    /** Whether a script plays media, which needs a raw socket. */
    boolean playsMedia() {
        return plays(caller) || plays(callee);
    }

    private static boolean plays(Script script) {
        return script.steps().stream().anyMatch(step -> step instanceof Step.Play);
    }

    /**
     * Writes all files into a folder, which exists; those of an earlier reproduction are replaced.
     *
     * @param readme the text of README.txt
     */
    void write(Path folder, String readme) throws IOException {
        Files.writeString(folder.resolve(caller.file()), caller.xml(), StandardCharsets.US_ASCII);
        Files.writeString(folder.resolve(callee.file()), callee.xml(), StandardCharsets.US_ASCII);
        writeMedia(folder, true, callerTrack, plays(caller));
        writeMedia(folder, false, calleeTrack, plays(callee));
        Path run = folder.resolve(RUN);
        Files.writeString(run, runScript(), StandardCharsets.US_ASCII);
        if (!run.toFile().setExecutable(true, false)) {
            throw new IOException(run + " cannot be made executable");
        }
        Files.writeString(folder.resolve(README), readme, StandardCharsets.UTF_8);
    }

    private void writeMedia(Path folder, boolean isCaller, Track track, boolean isPlayed) throws IOException {
        Path file = folder.resolve(ScenarioMaker.mediaFile(isCaller));
        if (isPlayed) {
            MediaFile.write(file, track, media);
        } else {
            Files.deleteIfExists(file);
        }
    }

    private String runScript() {
        return RUN_SCRIPT
                .replace("@SECONDS@", Long.toString(mostSeconds()))
                .replace("@PROTOCOL@", isTcp ? "tcp" : "udp")
                .replace("@CALLER_IP@", isIpv6 ? LOOPBACK6 : "127.0.0.1")
                .replace("@CALLEE_IP@", isIpv6 ? LOOPBACK6 : "127.0.0.2")
                .replace("@TRANSPORT@", isTcp ? TCP : "u1")
                .replace("@CALLER_KEYS@", keys("caller"))
                .replace("@CALLEE_KEYS@", keys("callee"));
    }

    private String keys(String side) {
        List<String> keys = new ArrayList<>();
        for (int offset : media.offsets()) {
            keys.add("-key media_" + offset + " $((" + side + "_media_port + " + offset + "))");
        }
        return String.join(" ", keys);
    }

    private static final String RUN_SCRIPT = """
            #!/bin/sh
            # Plays a captured call again, with two sipp that call each other. Written by offhook reproduce; see README.txt.
            # On loopback, unless CALLER_IP and CALLEE_IP say otherwise. Media needs root: sipp sends it by a raw socket.
            cd "$(dirname "$0")" || exit 1
            caller_ip=${CALLER_IP:-@CALLER_IP@}
            callee_ip=${CALLEE_IP:-@CALLEE_IP@}
            caller_port=${CALLER_PORT:-5070}
            callee_port=${CALLEE_PORT:-5080}
            caller_media_port=${CALLER_MEDIA_PORT:-20000}
            callee_media_port=${CALLEE_MEDIA_PORT:-30000}
            seconds=@SECONDS@
            command -v sipp >/dev/null || { echo "run.sh: sipp is missing (Debian: sip-tester)" >&2; exit 1; }

            party() { # party NAME IP PORT MEDIA_PORT PEER OPTIONS...
                name=$1 ip=$2 port=$3 media_port=$4 peer=$5
                shift 5
                exec sipp -sf "$name.xml" -i "$ip" -p "$port" -mi "$ip" -mp "$media_port" -t @TRANSPORT@ -m 1 -l 1 -nostdin \\
                    -max_invite_retrans 20 -max_non_invite_retrans 20 -timeout "${seconds}s" -timeout_error \\
                    -trace_err -error_file "$name.errors" "$@" "$peer" >"$name.log" 2>&1
            }

            host() { # host IP: as it stands before a port
                case $1 in *:*) echo "[$1]" ;; *) echo "$1" ;; esac
            }

            running() { # running PID
                read -r _ _ state _ 2>/dev/null <"/proc/$1/stat" && [ "$state" != Z ]
            }

            rm -f caller.errors callee.errors
            party callee "$callee_ip" "$callee_port" "$callee_media_port" "$(host "$caller_ip"):$caller_port" @CALLEE_KEYS@ &
            callee=$!
            caller=$callee
            trap 'kill "$caller" "$callee" 2>/dev/null' EXIT
            trap 'exit 1' HUP INT TERM
            waited=0
            until grep -qi ":$(printf %04X "$callee_port") " /proc/net/@PROTOCOL@ /proc/net/@PROTOCOL@6 2>/dev/null; do
                waited=$((waited + 1))
                running "$callee" && [ "$waited" -lt 100 ] || { cat callee.log callee.errors >&2; exit 1; }
                sleep 0.1
            done
            party caller "$caller_ip" "$caller_port" "$caller_media_port" "$(host "$callee_ip"):$callee_port" @CALLER_KEYS@ &
            caller=$!
            while running "$caller" && running "$callee"; do
                sleep 0.1
            done
            waited=0 # the other one ends within a moment, or waits for what will not come
            while { running "$caller" || running "$callee"; } && [ "$waited" -lt 50 ]; do
                waited=$((waited + 1))
                sleep 0.1
            done
            kill "$caller" "$callee" 2>/dev/null
            wait "$caller"
            caller_result=$?
            wait "$callee"
            callee_result=$?
            trap - EXIT
            [ "$caller_result" = 0 ] || { echo "run.sh: the caller failed ($caller_result):" >&2; tail -n 30 caller.errors >&2; }
            [ "$callee_result" = 0 ] || { echo "run.sh: the callee failed ($callee_result):" >&2; tail -n 30 callee.errors >&2; }
            [ "$caller_result" = 0 ] && [ "$callee_result" = 0 ]
            """;
}
