package io.offhook.proxy.location;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A bounded number of connections to one database, made when they are needed. One that broke is closed with all that are
 * idle, since they broke with it, and what it did is done once more on a new one.
 */
final class ConnectionPool implements AutoCloseable {
    private final String url;
    private final Properties properties = new Properties();
    private final int timeoutMs;
    private final int most;
    private final Semaphore permits;
    private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();
    private final AtomicLong broken = new AtomicLong();
    private volatile boolean isClosed;

    /** What is done with a connection, in a transaction that {@link #run} commits. */
    @FunctionalInterface
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    ConnectionPool(PostgresConfig config) throws IOException {
        url = config.url();
        timeoutMs = config.timeoutMs();
        most = config.connections();
        permits = new Semaphore(most);
        String seconds = String.valueOf((timeoutMs + 999) / 1000);
        properties.setProperty("connectTimeout", seconds);
        properties.setProperty("loginTimeout", seconds);
        properties.setProperty("socketTimeout", String.valueOf((timeoutMs + 999) / 1000 + 1));
        properties.setProperty("options", "-c statement_timeout=" + timeoutMs + " -c lock_timeout=" + timeoutMs);
        properties.setProperty("ApplicationName", "offhook proxy");
        if (config.user() != null) {
            properties.setProperty("user", config.user());
        }
        if (config.passwordFile() != null) {
            properties.setProperty("password", password(config.passwordFile()));
        }
    }

    private static String password(Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.UTF_8);
        return text.lines().findFirst().orElse("");
    }

    /**
     * Does work in a transaction. Work that broke together with its connection is done again, unless it may have been
     * committed.
     *
     * @throws SQLException if it cannot be done; nothing was changed, as far as is known
     */
    <T> T run(Work<T> work) throws SQLException {
        try {
            if (!permits.tryAcquire(timeoutMs, TimeUnit.MILLISECONDS)) {
                throw new SQLException("no connection became free within " + timeoutMs + " ms", "08000");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while waiting for a connection", "08000", e);
        }
        try {
            Connection old = idle.pollFirst();
            if (old != null) {
                Attempt<T> attempt = attempt(old, work);
                if (!attempt.mayBeRepeated()) {
                    return attempt.result();
                }
            }
            return attempt(connect(), work).result();
        } finally {
            permits.release();
        }
    }

    private record Attempt<T>(@Nullable T value, @Nullable SQLException failure, boolean mayBeRepeated) {
        T result() throws SQLException {
            if (failure != null) {
                throw failure;
            }
            if (value == null) {
                throw new SQLException("no result");
            }
            return value;
        }
    }

    private <T> Attempt<T> attempt(Connection connection, Work<T> work) {
        boolean isCommitting = false;
        try {
            T value = work.on(connection);
            isCommitting = true;
            connection.commit();
            giveBack(connection);
            return new Attempt<>(value, null, false);
        } catch (SQLException e) {
            boolean isBroken = isBroken(e);
            if (isBroken) {
                broken.incrementAndGet();
                closeIdle();
            }
            if (isBroken || !isRolledBack(connection)) {
                close(connection);
            } else {
                giveBack(connection);
            }
            return new Attempt<>(null, e, isBroken && !isCommitting);
        } catch (RuntimeException e) { // the work's own; the connection may be in the middle of something
            close(connection);
            throw e;
        }
    }

    private Connection connect() throws SQLException {
        if (isClosed) {
            throw new SQLException("the pool is closed", "08003");
        }
        Connection connection = DriverManager.getConnection(url, properties);
        connection.setAutoCommit(false);
        return connection;
    }

    /** The class of connection faults, and a server that ends. */
    private static boolean isBroken(SQLException e) {
        String state = e.getSQLState();
        return state != null && (state.startsWith("08") || state.startsWith("57P"));
    }

    private static boolean isRolledBack(Connection connection) {
        try {
            connection.rollback();
            return true;
        } catch (SQLException e) { // closed by the caller
            return false;
        }
    }

    private void giveBack(Connection connection) {
        idle.addFirst(connection);
        if (isClosed) {
            closeIdle();
        }
    }

    private void closeIdle() {
        for (Connection connection = idle.pollFirst(); connection != null; connection = idle.pollFirst()) {
            close(connection);
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) { // it is gone already
            return;
        }
    }

    /** Connections that broke. */
    long broken() {
        return broken.get();
    }

    /** Waits for what is under way, at most the time of a statement each. */
    @Override
    public void close() {
        isClosed = true;
        boolean isIdle = permits.tryAcquire(most);
        for (int i = 0; !isIdle && i < 2; i++) {
            try {
                isIdle = permits.tryAcquire(most, timeoutMs, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        closeIdle();
    }
}
