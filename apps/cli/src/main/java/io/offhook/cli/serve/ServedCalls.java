package io.offhook.cli.serve;

import io.offhook.decrypt.KeyFileException;
import io.offhook.store.StoreException;
import io.offhook.web.data.CallData;
import io.offhook.web.data.CapturePoints;
import io.offhook.web.data.InputState;
import io.offhook.web.data.KeyedCall;
import io.offhook.web.data.StoreState;
import io.offhook.web.metrics.CallMetrics;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls that the server shows: a database, and what fills it. */
final class ServedCalls implements CallData {
    private final ServedStore store;
    private final CallMetrics metrics = new CallMetrics();
    private volatile Filling filling = Filling.NOTHING;

    /** What fills a database, as far as the page asks for it. All methods may be called by any thread. */
    interface Filling {
        /** Of a database that is only looked at. */
        Filling NOTHING = new Filling() {
            @Override
            public long revision() {
                return 0;
            }

            @Override
            public List<InputState> inputs() {
                return List.of();
            }
        };

        /** Grows whenever something was stored. */
        long revision();

        /** What is read. */
        List<InputState> inputs();

        /** What was lost, by cause. */
        default List<Drop> drops() {
            return List.of();
        }

        /** What a reader of the list should know of the captures, as sentences. */
        default List<String> notes() {
            return List.of();
        }

        /** Rows that were not written. */
        default long lost() {
            return 0;
        }

        /** Bytes that wait to be written. */
        default long queuedBytes() {
            return 0;
        }

        /** The calls that go on. */
        default RunningCalls running() {
            return RunningCalls.NONE;
        }

        /** The files as captures of several points, or null. */
        default @Nullable CapturePoints points() {
            return null;
        }

        /** What has the packets of calls, or null. */
        default @Nullable Packets packets() {
            return null;
        }
    }

    /** Has the packets of calls. */
    interface Packets {
        /** Writes those of calls as pcapng. */
        void write(List<CallKey> calls, OutputStream out) throws IOException;

        /** A call with its packets; null if they are not there. */
        @Nullable
        Recording recording(CallKey call) throws IOException;

        /** Whether those of the streams of a call are there. */
        boolean has(CallKey call);

        /** What can be searched for a call with further keys; null if nothing can. */
        default @Nullable SearchedPackets searched(CallKey call) {
            return null;
        }
    }

    ServedCalls(ServedStore store) {
        this.store = store;
    }

    /** What is counted of the calls; whoever fills the database fills it. */
    CallMetrics metrics() {
        return metrics;
    }

    /** From now on, this fills the database. */
    void filledBy(Filling filling) {
        this.filling = filling;
    }

    @Override
    public Connection connect() throws SQLException {
        try {
            return store.store().reader();
        } catch (StoreException e) {
            throw new SQLException(e);
        }
    }

    @Override
    public long revision() {
        return filling.revision();
    }

    @Override
    public RunningCalls running() {
        return filling.running();
    }

    @Override
    public List<InputState> inputs() {
        return filling.inputs();
    }

    @Override
    public List<Drop> drops() {
        return filling.drops();
    }

    @Override
    public List<String> notes() {
        return filling.notes();
    }

    @Override
    public StoreState store() {
        return new StoreState(
                store.file(),
                store.bytes(),
                filling.lost(),
                filling.queuedBytes(),
                store.store().hasFiles());
    }

    @Override
    public @Nullable CapturePoints points() {
        return filling.points();
    }

    @Override
    public boolean hasPackets() {
        return filling.packets() != null;
    }

    @Override
    public boolean hasPackets(CallKey call) {
        Packets packets = filling.packets();
        return packets != null && packets.has(call);
    }

    @Override
    public void writePackets(List<CallKey> calls, OutputStream out) throws IOException {
        Packets packets = filling.packets();
        if (packets == null) {
            throw new IOException("packets are not kept");
        }
        packets.write(calls, out);
    }

    @Override
    public KeyedCall open(CallKey call, MemorySegment keys) throws IOException {
        Packets packets = filling.packets();
        SearchedPackets searched = packets == null ? null : packets.searched(call);
        if (searched == null) {
            throw new FileNotFoundException(
                    "the packets of this call were not kept, so that there is nothing to decrypt; offhook serve"
                            + " --keep-packets keeps them");
        }
        try {
            return OpenedCall.start(call, searched, keys);
        } catch (KeyFileException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    @Override
    public @Nullable Recording recording(CallKey call) throws IOException {
        Packets packets = filling.packets();
        return packets == null ? null : packets.recording(call);
    }
}
