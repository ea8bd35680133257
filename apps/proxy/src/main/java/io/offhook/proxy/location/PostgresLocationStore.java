package io.offhook.proxy.location;

import io.offhook.sip.registrar.AddressOfRecord;
import io.offhook.sip.registrar.Binding;
import io.offhook.sip.registrar.RegisterOutcome;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/**
 * Bindings in a PostgreSQL database, which several proxies may share. What is asked runs on a virtual thread each; a lock of
 * the database on the address of record makes changes of it happen one after the other, whoever makes them.
 *
 * <p>Needs the driver org.postgresql:postgresql on the class path. The tables are created and brought up to date when the
 * store is opened.
 */
public final class PostgresLocationStore implements LocationStore {
    private static final long EXPIRE_EVERY_MS = 30_000;
    private static final int ROWS_AT_ONCE = 1000;

    private static final String LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))";
    private static final String SELECT =
            "SELECT binding FROM offhook_binding WHERE user_name = ? AND domain = ? ORDER BY id";
    private static final String DELETE = "DELETE FROM offhook_binding WHERE user_name = ? AND domain = ?";
    private static final String INSERT =
            "INSERT INTO offhook_binding (user_name, domain, contact, instance, reg_id, path,"
                    + " source, transport, user_agent, updated_at, expires_at, binding)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    private static final String EXPIRE = "DELETE FROM offhook_binding WHERE expires_at <= ?";
    private static final String ALL =
            "SELECT user_name, domain, binding FROM offhook_binding WHERE expires_at > ? ORDER BY user_name, domain, id";

    private final ConnectionPool pool;
    private final InstantSource clock;
    private final int mostWaiting;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("offhook-location-", 0).factory());
    private final CountDownLatch closing = new CountDownLatch(1);
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong updates = new AtomicLong();
    private final AtomicLong expired = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    private PostgresLocationStore(ConnectionPool pool, InstantSource clock, int mostWaiting) {
        this.pool = pool;
        this.clock = clock;
        this.mostWaiting = mostWaiting;
    }

    /**
     * Connects, and brings the tables up to date. Blocks.
     *
     * @param config the database
     * @param mostWaiting the most requests that wait, 1 or more
     * @param clock says which bindings are removed
     * @throws IOException if that is not possible; the message says why
     */
    public static PostgresLocationStore open(PostgresConfig config, int mostWaiting, InstantSource clock)
            throws IOException {
        ConnectionPool pool = new ConnectionPool(config);
        try {
            pool.run(PostgresSchema::migrate);
        } catch (SQLException e) {
            pool.close();
            String hint = "08001".equals(e.getSQLState())
                            && String.valueOf(e.getMessage()).startsWith("No suitable driver")
                    ? "; the driver is org.postgresql:postgresql, whose jar must be on the class path"
                    : "";
            throw new IOException("database " + config.url() + ": " + e.getMessage() + hint, e);
        }
        PostgresLocationStore store = new PostgresLocationStore(pool, clock, mostWaiting);
        store.threads.execute(store::expireFromTimeToTime);
        return store;
    }

    @Override
    public void find(AddressOfRecord addressOfRecord, long nowMs, StoreCallback<List<Binding>> callback) {
        run(connection -> lasting(select(connection, addressOfRecord), nowMs), callback);
    }

    private static List<Binding> lasting(List<Binding> bindings, long nowMs) {
        return bindings.stream()
                .filter(binding -> binding.expiresAtMs() > nowMs)
                .toList();
    }

    @Override
    public void update(AddressOfRecord addressOfRecord, BindingChange change, StoreCallback<RegisterOutcome> callback) {
        run(connection -> update(connection, addressOfRecord, change), callback);
    }

    private <T> void run(ConnectionPool.Work<T> work, StoreCallback<T> callback) {
        if (waiting.incrementAndGet() > mostWaiting) {
            waiting.decrementAndGet();
            fail(callback, StoreFailure.OVERLOADED);
            return;
        }
        try {
            threads.execute(() -> complete(work, callback));
        } catch (RejectedExecutionException e) { // closed
            waiting.decrementAndGet();
            fail(callback, StoreFailure.CLOSED);
        }
    }

    private <T> void complete(ConnectionPool.Work<T> work, StoreCallback<T> callback) {
        T result;
        try {
            result = pool.run(work);
        } catch (SQLException e) { // counted; the registrar answers 503
            fail(callback, StoreFailure.UNAVAILABLE);
            return;
        } catch (RuntimeException e) { // one request must not end the registrar
            fail(callback, StoreFailure.INTERNAL);
            return;
        } finally {
            waiting.decrementAndGet();
        }
        callback.done(result);
    }

    private void fail(StoreCallback<?> callback, StoreFailure failure) {
        failures.incrementAndGet();
        callback.failed(failure);
    }

    private RegisterOutcome update(Connection connection, AddressOfRecord addressOfRecord, BindingChange change)
            throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement(LOCK)) {
            lock.setString(1, addressOfRecord.uri());
            lock.execute();
        }
        List<Binding> current = select(connection, addressOfRecord);
        RegisterOutcome outcome = change.apply(current);
        List<Binding> bindings = outcome.bindings();
        if (bindings != null && !bindings.equals(current)) {
            replace(connection, addressOfRecord, bindings);
            updates.incrementAndGet();
        }
        return outcome;
    }

    private static List<Binding> select(Connection connection, AddressOfRecord addressOfRecord) throws SQLException {
        List<Binding> bindings = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(SELECT)) {
            select.setString(1, addressOfRecord.user());
            select.setString(2, addressOfRecord.domain());
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    Binding binding = Binding.of(rows.getBytes(1));
                    if (binding != null) {
                        bindings.add(binding);
                    }
                }
            }
        }
        return bindings;
    }

    private static void replace(Connection connection, AddressOfRecord addressOfRecord, List<Binding> bindings)
            throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
            delete.setString(1, addressOfRecord.user());
            delete.setString(2, addressOfRecord.domain());
            delete.executeUpdate();
        }
        if (bindings.isEmpty()) {
            return;
        }
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (Binding binding : bindings) {
                insert.setString(1, addressOfRecord.user());
                insert.setString(2, addressOfRecord.domain());
                insert.setString(3, binding.contact());
                insert.setString(4, binding.instance());
                insert.setInt(5, binding.regId());
                insert.setString(6, binding.path());
                insert.setString(7, binding.source().toString());
                insert.setString(8, binding.transport().name());
                insert.setString(9, binding.userAgent());
                insert.setObject(10, time(binding.updatedAtMs()));
                insert.setObject(11, time(binding.expiresAtMs()));
                insert.setBytes(12, binding.encoded());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private static OffsetDateTime time(long ms) {
        return Instant.ofEpochMilli(ms).atOffset(ZoneOffset.UTC);
    }

    private void expireFromTimeToTime() {
        try {
            while (!closing.await(EXPIRE_EVERY_MS, TimeUnit.MILLISECONDS)) {
                expire();
            }
        } catch (InterruptedException e) { // closed
            return;
        }
    }

    /** Removes what has expired; of several proxies each does so, which does no harm. */
    void expire() {
        try {
            expired.addAndGet(pool.run(connection -> {
                try (PreparedStatement delete = connection.prepareStatement(EXPIRE)) {
                    delete.setObject(1, time(clock.millis()));
                    return delete.executeUpdate();
                }
            }));
        } catch (SQLException e) { // tried again; nobody sees expired bindings
            failures.incrementAndGet();
        }
    }

    @Override
    public void forEach(long nowMs, BiConsumer<AddressOfRecord, List<Binding>> visitor) {
        try {
            pool.run(connection -> {
                visit(connection, nowMs, visitor);
                return true;
            });
        } catch (SQLException e) {
            failures.incrementAndGet();
            throw new IllegalStateException("the database cannot be read: " + e.getMessage(), e);
        }
    }

    private static void visit(Connection connection, long nowMs, BiConsumer<AddressOfRecord, List<Binding>> visitor)
            throws SQLException {
        try (PreparedStatement all = connection.prepareStatement(ALL)) {
            all.setFetchSize(ROWS_AT_ONCE);
            all.setObject(1, time(nowMs));
            try (ResultSet rows = all.executeQuery()) {
                AddressOfRecord last = new AddressOfRecord("", "");
                List<Binding> bindings = new ArrayList<>();
                while (rows.next()) {
                    AddressOfRecord addressOfRecord = new AddressOfRecord(rows.getString(1), rows.getString(2));
                    Binding binding = Binding.of(rows.getBytes(3));
                    if (!addressOfRecord.equals(last) && !bindings.isEmpty()) {
                        visitor.accept(last, bindings);
                        bindings = new ArrayList<>();
                    }
                    last = addressOfRecord;
                    if (binding != null) {
                        bindings.add(binding);
                    }
                }
                if (!bindings.isEmpty()) {
                    visitor.accept(last, bindings);
                }
            }
        }
    }

    @Override
    public LocationFigures figures() {
        return new LocationFigures(-1, -1, updates.get(), expired.get(), waiting.get(), failures.get(), 0);
    }

    @Override
    public void close() {
        closing.countDown();
        threads.close(); // waits for what is under way; statements have a time limit
        pool.close();
    }
}
