package io.offhook.web;

import io.offhook.store.CallStore;
import io.offhook.store.StoreException;
import io.offhook.store.StoreSettings;
import io.offhook.web.data.CallData;
import io.offhook.web.data.CaptureReader;
import io.offhook.web.data.InputState;
import io.offhook.web.data.StoreState;
import java.io.OutputStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A database without calls, and a reader of captures that never finishes. */
public class EmptyCalls implements CallData, CaptureReader, CaptureReader.OpenCapture {
    private final CallStore store;
    private int closed;

    public EmptyCalls() throws StoreException {
        store = CallStore.inMemory(StoreSettings.standard());
    }

    /** How many captures were closed. */
    public int closed() {
        return closed;
    }

    @Override
    public Connection connect() throws SQLException {
        try {
            return store.reader();
        } catch (StoreException e) {
            throw new SQLException(e);
        }
    }

    @Override
    public long revision() {
        return 1;
    }

    @Override
    public RunningCalls running() {
        return RunningCalls.NONE;
    }

    @Override
    public List<InputState> inputs() {
        return List.of(new InputState(
                "x", InputState.Kind.FILE, InputState.State.READING, 50, InputState.Counts.read(1, 2), null));
    }

    @Override
    public List<Drop> drops() {
        return List.of();
    }

    @Override
    public StoreState store() {
        return new StoreState("", 0, 0, 0, false);
    }

    @Override
    public boolean hasPackets() {
        return false;
    }

    @Override
    public void writePackets(List<CallKey> calls, OutputStream out) {
        throw new AssertionError("there are no packets");
    }

    @Override
    public @Nullable Recording recording(CallKey call) {
        return null;
    }

    @Override
    public OpenCapture read(Path file, String name) {
        return this;
    }

    @Override
    public CallData data() {
        return this;
    }

    @Override
    public void close() {
        closed++;
    }
}
