package io.offhook.web.data;

import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.pcap.PacketSource;
import io.offhook.rtp.PayloadOpener;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls in a database, which the page shows: those of the server, or those of a capture that a user dropped on it. */
public interface CallData {
    /** Opens a connection to the database for reading; the caller closes it. */
    Connection connect() throws SQLException;

    /** Grows whenever calls were stored. */
    long revision();

    /** The calls that go on; none if nothing is followed. */
    RunningCalls running();

    /** What is read or listened to. */
    List<InputState> inputs();

    /** What was lost before it was analysed, by cause; those that are 0 included. */
    List<Drop> drops();

    /** What a reader of an empty or short list should know of the captures, as sentences: no SIP in them, or only inside TLS. */
    default List<String> notes() {
        return List.of();
    }

    /** How its database is doing. */
    StoreState store();

    /** Whether {@link #writePackets} has packets. */
    boolean hasPackets();

    /** Whether packets of the streams of a call are there. */
    default boolean hasPackets(CallKey call) {
        return hasPackets();
    }

    /**
     * Writes the packets of calls as pcapng.
     *
     * @param calls whose SIP, RTP and RTCP is wanted
     * @throws IOException if they cannot be read or written
     */
    void writePackets(List<CallKey> calls, OutputStream out) throws IOException;

    /** The captures as those of several points; null if there is one only. */
    default @Nullable CapturePoints points() {
        return null;
    }

    /**
     * What the audio of a call is made of; null if its packets are not there. The caller closes it.
     *
     * @throws IOException if they cannot be read
     */
    @Nullable
    Recording recording(CallKey call) throws IOException;

    /**
     * Begins to read a call once more, with keys that a user has.
     *
     * @param keys lines of an NSS key log and of SRTP keys (docs/DECRYPTION.md); read before this returns
     * @return closed by the caller
     * @throws IllegalArgumentException if the keys are not understood; the message says where, and nothing of a key
     * @throws java.io.FileNotFoundException if the packets of the call are not there
     * @throws IOException if they cannot be read
     */
    default KeyedCall open(CallKey call, MemorySegment keys) throws IOException {
        throw new FileNotFoundException("packets are not kept");
    }

    /**
     * Calls that ring or are talked in now. One without an end may be none of them: its BYE may have been missed.
     *
     * @param version another one whenever the calls are others
     * @param ids in the database
     */
    record RunningCalls(long version, Set<Long> ids) {
        /** Nothing goes on. */
        public static final RunningCalls NONE = new RunningCalls(0, Set.of());

        /** Copies the ids. */
        public RunningCalls {
            ids = Set.copyOf(ids);
        }
    }

    /**
     * A call with its packets, closed when they are no longer read.
     *
     * @param call as analysed
     * @param packets opens the capture that it was found in
     * @param keys opens its encrypted streams
     */
    record Recording(CallReport call, Supplier<PacketSource> packets, StreamKeys keys) implements AutoCloseable {
        @Override
        public void close() {
            keys.close();
        }
    }

    /** The keys of encrypted streams, which are overwritten when it is closed. */
    interface StreamKeys extends AutoCloseable {
        /** None. */
        StreamKeys NONE = new StreamKeys() {
            @Override
            public @Nullable PayloadOpener opener(StreamReport stream) {
                return null;
            }

            @Override
            public void close() {
                // there are none
            }
        };

        /** What opens the packets of a stream, from the first one on; null if there is no key for it. */
        @Nullable
        PayloadOpener opener(StreamReport stream);

        @Override
        void close();
    }

    /**
     * What identifies a call.
     *
     * @param id in the database
     * @param callIds those of its legs
     */
    record CallKey(long id, List<String> callIds) {}

    /**
     * Packets, messages or calls that were lost.
     *
     * @param cause in words
     * @param count how many
     */
    record Drop(String cause, long count) {}
}
