package io.offhook.web;

import io.offhook.web.data.CallData;
import io.offhook.web.data.InputState;
import io.offhook.web.data.StoreState;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A database with what inputs and drops a test gives it. */
public final class FixedData implements CallData {
    private final Connector connector;
    public volatile List<InputState> inputs = List.of();
    public volatile List<Drop> drops = List.of();
    public volatile RunningCalls running = RunningCalls.NONE;

    /** Connects to a database. */
    @FunctionalInterface
    public interface Connector {
        Connection connect() throws SQLException;
    }

    public FixedData(Connector connector) {
        this.connector = connector;
    }

    /** One whose database cannot be reached. */
    public static FixedData unreachable() {
        return new FixedData(() -> {
            throw new SQLException("no database");
        });
    }

    @Override
    public Connection connect() throws SQLException {
        return connector.connect();
    }

    @Override
    public long revision() {
        return 0;
    }

    @Override
    public RunningCalls running() {
        return running;
    }

    @Override
    public List<InputState> inputs() {
        return inputs;
    }

    @Override
    public List<Drop> drops() {
        return drops;
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
        throw new UnsupportedOperationException();
    }

    @Override
    public @Nullable Recording recording(CallKey call) {
        return null;
    }
}
