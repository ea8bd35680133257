package io.offhook.flow.tcp;

import io.offhook.flow.Holding;
import io.offhook.flow.OverlapPolicy;
import io.offhook.flow.state.Counts;
import io.offhook.flow.state.PacketTime;
import io.offhook.flow.state.SequenceNumbers;
import io.offhook.flow.tcp.TcpStreamHandler.End;
import io.offhook.flow.tcp.TcpStreamHandler.Pickup;

/** Applies a segment to its connection: SYN, payload, FIN and RST, the start and the end of streams. */
final class TcpFollower {
    /** Beyond any window in use, in bytes: numbers that differ by more belong to another connection. */
    static final int WINDOW = 1 << 24;

    /** A SYN on the ports of a connection that had no packet for this long starts a new one, in nanoseconds. */
    private static final long QUIET_NS = 1_000_000_000;

    private final TcpStreamHandler handler;
    private final Counts<TcpCounter> counts;
    private final TcpConnections connections;
    private final TcpReassembly reassembly;

    TcpFollower(
            TcpLimits limits,
            OverlapPolicy policy,
            Holding holding,
            TcpStreamHandler handler,
            Counts<TcpCounter> counts,
            TcpConnections connections) {
        this.handler = handler;
        this.counts = counts;
        this.connections = connections;
        reassembly = new TcpReassembly(limits, policy, holding, handler, counts, this::finished);
    }

    TcpReassembly reassembly() {
        return reassembly;
    }

    /** Handles the first segment of a connection that {@link TcpConnections#find} did not find. */
    void meet(TcpSegment s) {
        if (s.isRst()) {
            return;
        }
        if (s.isSyn()) {
            follow(add(s), s);
            return;
        }
        if (s.length > 0) {
            Pickup pickup = pickup(s);
            if (pickup != Pickup.IGNORE) {
                TcpConnection connection = add(s);
                TcpDirection here = connection.direction(s.upward);
                open(connection, here, pickup, s);
                if (s.isFin()) {
                    fin(here, s);
                }
            }
        }
    }

    /** Handles a segment of a connection in the table. */
    void follow(TcpConnection connection, TcpSegment s) {
        boolean wasQuiet = PacketTime.isApart(s.timestampNs, connection.lastTimestampNs, QUIET_NS);
        connections.touch(connection, s.timestampNs);
        TcpDirection here = connection.direction(s.upward);
        TcpDirection there = connection.direction(!s.upward);
        TcpStream reverse = there.stream;
        if (reverse != null && reverse.isQueued) {
            reassembly.expire(reverse, s, false);
            reassembly.observe(reverse, s, true);
            shrinkIfIgnored(connection, there);
        }
        TcpStream stream = here.stream;
        if (stream != null && (stream.isQueued || stream.isIgnored())) {
            reassembly.expire(stream, s, true);
            shrinkIfIgnored(connection, here);
        }
        if (s.isOrdinary()) {
            if (s.wireLength > 0) {
                payload(connection, here, s);
            }
        } else if (s.isRst()) {
            reset(connection, here, there, s);
        } else if (!s.isSyn() || syn(connection, here, there, s, wasQuiet)) {
            if (s.wireLength > 0) {
                payload(connection, here, s);
            }
            if (s.isFin()) {
                fin(here, s);
            }
        }
        stream = here.stream;
        if (stream != null && stream.isQueued) {
            reassembly.observe(stream, s, false);
            shrinkIfIgnored(connection, here);
        }
    }

    /** Ends the streams of a connection and removes it from the table. */
    void remove(TcpConnection connection, End reason) {
        if (!connection.hasStream() && reason == End.EVICTED) {
            counts.addAt(connection.firstFrameNumber, connection.firstTimestampNs, TcpCounter.MARKS_EVICTED);
        }
        end(connection, connection.direction(true), reason);
        end(connection, connection.direction(false), reason);
        connections.remove(connection);
    }

    private TcpConnection add(TcpSegment s) {
        if (connections.isFull()) {
            TcpConnection dispensable = connections.mostDispensable();
            if (dispensable != null) {
                remove(dispensable, End.EVICTED);
            }
        }
        return connections.addMissing(s.frameNumber, s.timestampNs);
    }

    private Pickup pickup(TcpSegment s) {
        Pickup pickup = s.length == 0 ? Pickup.IGNORE : handler.pickup(s.memory, s.payload, s.length);
        if (pickup == Pickup.IGNORE) {
            counts.add(TcpCounter.NOT_PICKED_UP);
        }
        return pickup;
    }

    private void payload(TcpConnection connection, TcpDirection here, TcpSegment s) {
        switch (here.state) {
            case OPEN -> payloadOfOpen(connection, here, s);
            case BEGUN -> {
                if (s.length == 0) {
                    // only headers were captured; the position of later payload is of no use
                    counts.addAt(s.frameNumber, s.timestampNs, TcpCounter.CAPTURED_SHORT);
                    here.state = TcpDirection.State.UNKNOWN;
                } else if (isFar(s.dataSequence(), here.nextSequence)) {
                    pickUp(connection, here, s);
                } else {
                    accept(connection, here, openAt(connection, here, here.nextSequence, s), s);
                }
            }
            case UNKNOWN -> pickUp(connection, here, s);
            case IGNORED -> counts.add(TcpCounter.IGNORED);
            case CLOSED -> {
                int ahead = SequenceNumbers.difference(s.dataSequence(), here.nextSequence);
                if (ahead < 0 && ahead >= -WINDOW) {
                    counts.addAt(s.frameNumber, s.timestampNs, TcpCounter.AFTER_END);
                } else {
                    pickUp(connection, here, s);
                }
            }
        }
    }

    private void payloadOfOpen(TcpConnection connection, TcpDirection here, TcpSegment s) {
        TcpStream stream = here.stream;
        if (stream == null) {
            return;
        }
        if (isFar(s.dataSequence(), stream.nextSequence)) {
            // lost beyond repair, another connection, or forged: the stream restarts only where the handler can resume
            if (s.length > 0 && handler.pickup(s.memory, s.payload, s.length) == Pickup.NOW) {
                end(connection, here, End.REUSED);
                open(connection, here, Pickup.NOW, s);
            } else {
                counts.addAt(s.frameNumber, s.timestampNs, TcpCounter.OUT_OF_WINDOW);
            }
            return;
        }
        if (stream.waiting
                && s.length > 0
                && stream.positionOf(s.dataSequence()) < stream.lowest()
                && handler.pickup(s.memory, s.payload, s.length) == Pickup.NOW) {
            reassembly.begin(stream, s.dataSequence());
        }
        accept(connection, here, stream, s);
    }

    private void accept(TcpConnection connection, TcpDirection here, TcpStream stream, TcpSegment s) {
        reassembly.accept(stream, s);
        if (stream.isIgnored()) {
            shrinkIfIgnored(connection, here);
        }
    }

    /** Handles a payload whose position is unknown. */
    private void pickUp(TcpConnection connection, TcpDirection here, TcpSegment s) {
        Pickup pickup = pickup(s);
        if (pickup != Pickup.IGNORE) {
            open(connection, here, pickup, s);
        }
    }

    private void open(TcpConnection connection, TcpDirection here, Pickup pickup, TcpSegment s) {
        here.isFirstKnown = false;
        TcpStream stream = openAt(connection, here, s.dataSequence(), s);
        if (pickup == Pickup.NOW) {
            accept(connection, here, stream, s);
        } else {
            reassembly.await(stream, s);
            shrinkIfIgnored(connection, here);
        }
    }

    private TcpStream openAt(TcpConnection connection, TcpDirection here, int nextSequence, TcpSegment s) {
        TcpStream stream = new TcpStream(s, connection);
        stream.nextSequence = nextSequence;
        here.open(stream);
        connections.place(connection);
        counts.add(TcpCounter.STREAMS);
        return stream;
    }

    /** Returns whether the segment belongs to the connection, either the existing one or a new one on its ports. */
    private boolean syn(
            TcpConnection connection, TcpDirection here, TcpDirection there, TcpSegment s, boolean wasQuiet) {
        int first = s.sequence + 1;
        if (here.isFirstKnown && here.firstSequence == first || isSynOfPickedUp(here, first)) {
            return true;
        }
        boolean isAnswer = s.hasAcknowledgment();
        boolean answers = isAnswer && isBeginning(there, s.acknowledgment);
        boolean isAlive = here.stream != null || there.stream != null && !answers;
        if (isAlive && !wasQuiet) {
            counts.addAt(s.frameNumber, s.timestampNs, TcpCounter.STRAY_SYN);
            return false;
        }
        boolean isFirst = !isAnswer
                && here.state == TcpDirection.State.UNKNOWN
                && (there.state == TcpDirection.State.UNKNOWN || there.state == TcpDirection.State.BEGUN);
        end(connection, here, End.REUSED);
        if (!answers && !isFirst) {
            end(connection, there, End.REUSED);
            there.clear();
            connection.analysis = null;
        }
        here.begin(first);
        if (isAnswer && there.state == TcpDirection.State.UNKNOWN) {
            there.begin(s.acknowledgment);
        }
        return true;
    }

    /** Whether the direction's first byte has, or may have, the sequence number that a SYN acknowledges. */
    private static boolean isBeginning(TcpDirection direction, int first) {
        if (direction.isFirstKnown) {
            return direction.firstSequence == first;
        }
        TcpStream stream = direction.stream;
        return stream == null ? direction.state == TcpDirection.State.UNKNOWN : !isFar(first, stream.nextSequence);
    }

    /** Whether this is the SYN of a stream that was picked up before it: the capture swapped packets. */
    private boolean isSynOfPickedUp(TcpDirection here, int first) {
        TcpStream stream = here.stream;
        if (stream == null || here.isFirstKnown) {
            return false;
        }
        long before = stream.lowest() - stream.positionOf(first);
        if (before < 0 || before > WINDOW) {
            return false;
        }
        here.knowFirst(first);
        if (stream.waiting) {
            reassembly.begin(stream, first);
        }
        return true;
    }

    private void fin(TcpDirection here, TcpSegment s) {
        TcpStream stream = here.stream;
        if (stream == null) {
            if (here.state != TcpDirection.State.CLOSED) {
                here.close(s.endSequence() + 1);
            }
        } else if (isFar(s.endSequence(), stream.nextSequence)) {
            counts.addAt(s.frameNumber, s.timestampNs, TcpCounter.OUT_OF_WINDOW);
        } else {
            reassembly.finish(stream, s);
        }
    }

    private void reset(TcpConnection connection, TcpDirection here, TcpDirection there, TcpSegment s) {
        TcpStream stream = here.stream;
        if (stream != null && isFar(s.sequence, stream.nextSequence)) {
            counts.addAt(s.frameNumber, s.timestampNs, TcpCounter.OUT_OF_WINDOW);
            return;
        }
        end(connection, here, End.RST);
        end(connection, there, End.RST);
        if (here.state != TcpDirection.State.CLOSED) {
            here.close(s.sequence);
        }
        if (there.state == TcpDirection.State.BEGUN) {
            there.close(there.nextSequence);
        } else if (there.state == TcpDirection.State.IGNORED) {
            there.state = TcpDirection.State.UNKNOWN;
        }
    }

    /** Handles a stream whose bytes before the FIN were all reported. */
    private void finished(TcpStream stream) {
        TcpConnection connection = stream.connection;
        if (connection != null) {
            retire(connection, stream.direction(connection), stream, End.FIN);
        }
    }

    private void end(TcpConnection connection, TcpDirection direction, End reason) {
        TcpStream stream = direction.stream;
        if (stream != null) {
            reassembly.release(stream);
            if (direction.stream == stream) {
                retire(connection, direction, stream, reason);
            }
        }
    }

    private void retire(TcpConnection connection, TcpDirection direction, TcpStream stream, End reason) {
        if (!stream.isIgnored()) {
            counts.addAt(stream.firstFrameNumber, stream.firstTimestampNs, counterOf(reason));
            handler.end(stream, reason);
        }
        stream.connection = null;
        direction.close(stream.nextSequence + (reason == End.FIN ? 1 : 0));
        connections.place(connection);
    }

    private void shrinkIfIgnored(TcpConnection connection, TcpDirection direction) {
        TcpStream stream = direction.stream;
        if (stream != null && stream.isIgnored()) {
            reassembly.drop(stream);
            stream.connection = null;
            direction.ignore();
            connections.place(connection);
        }
    }

    private static boolean isFar(int sequence, int nextSequence) {
        int ahead = SequenceNumbers.difference(sequence, nextSequence);
        return ahead > WINDOW || ahead < -WINDOW;
    }

    private static TcpCounter counterOf(End reason) {
        return switch (reason) {
            case FIN -> TcpCounter.FINISHED;
            case RST -> TcpCounter.RESET;
            case EVICTED -> TcpCounter.EVICTED;
            case IDLE -> TcpCounter.IDLE;
            case REUSED -> TcpCounter.REUSED;
            case CAPTURE_END -> TcpCounter.CAPTURE_END;
        };
    }
}
