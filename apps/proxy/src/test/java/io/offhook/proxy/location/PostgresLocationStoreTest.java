package io.offhook.proxy.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.sip.registrar.AddressOfRecord;
import io.offhook.sip.registrar.Binding;
import io.offhook.sip.registrar.RegisterFinding;
import io.offhook.sip.registrar.RegisterOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a real PostgreSQL. */
class PostgresLocationStoreTest {
    private static final AddressOfRecord ONE = Registrations.user(1);

    private static PostgresCluster cluster;

    private long nowMs = Registrations.NOW;
    private PostgresLocationStore store;

    @BeforeAll
    static void start() throws Exception {
        Path programs = PostgresCluster.programs();
        assumeTrue(programs != null, "PostgreSQL's server is not installed (postgresql)");
        cluster = PostgresCluster.start(programs);
    }

    @AfterAll
    static void end() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static PostgresConfig config(int connections) {
        return new PostgresConfig(cluster.url(), "offhook", null, connections, 5000);
    }

    private PostgresLocationStore another() throws IOException {
        return PostgresLocationStore.open(config(3), 1000, () -> Instant.ofEpochMilli(nowMs));
    }

    @BeforeEach
    void open() throws Exception {
        store = another();
        execute("DELETE FROM offhook_binding");
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static void execute(String sql) throws Exception {
        try (Connection connection = cluster.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> rows(String sql) throws Exception {
        List<String> rows = new ArrayList<>();
        try (Connection connection = cluster.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                rows.add(result.getString(1));
            }
        }
        return rows;
    }

    @Test
    void whatOneProxyRegistersTheOtherFinds() throws Exception {
        assertThat(Registrations.register(store, ONE, 1).finding()).isEqualTo(RegisterFinding.UPDATED);

        try (PostgresLocationStore other = another()) {
            assertThat(Registrations.find(other, ONE, Registrations.NOW))
                    .containsExactly(Registrations.binding(ONE, 1, Registrations.NOW));
            assertThat(Registrations.find(other, ONE, Registrations.NOW + 3_600_000))
                    .isEmpty();
            assertThat(Registrations.find(other, Registrations.user(2), Registrations.NOW))
                    .isEmpty();
            Registrations.update(
                    other, ONE, Registrations.change(ONE, 2, "<sip:x@192.0.2.1>;expires=90", Registrations.NOW));
        }
        assertThat(Registrations.find(store, ONE, Registrations.NOW)).hasSize(2);
        assertThat(rows("SELECT contact || ' ' || expires_at AT TIME ZONE 'UTC' FROM offhook_binding ORDER BY id"))
                .containsExactly(
                        "sip:user-1@192.0.2.17:5060;transport=udp;ob 2027-01-15 09:00:00",
                        "sip:x@192.0.2.1 2027-01-15 08:01:30");
        assertThat(store.figures().updates()).isEqualTo(1);
    }

    @Test
    void bindingsAreRefreshedAndRemoved() throws Exception {
        Registrations.register(store, ONE, 1);
        Registrations.register(store, ONE, 2);
        assertThat(Registrations.find(store, ONE, Registrations.NOW))
                .extracting(Binding::cseq)
                .containsExactly(2L);
        assertThat(Registrations.register(store, ONE, 2).finding()).isEqualTo(RegisterFinding.OUT_OF_ORDER);

        Registrations.update(store, ONE, Registrations.change(ONE, 3, "*\r\nExpires: 0", Registrations.NOW));

        assertThat(rows("SELECT contact FROM offhook_binding")).isEmpty();
    }

    /** Two stores, as two proxies, and no lost update. */
    @Test
    void changesOfOneAddressHappenOneAfterTheOther() throws Exception {
        try (PostgresLocationStore other = another()) {
            List<Registrations.Waited<RegisterOutcome>> all = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                Registrations.Waited<RegisterOutcome> waited = new Registrations.Waited<>();
                int number = i;
                (i % 2 == 0 ? store : other).update(ONE, current -> add(current, number), waited);
                all.add(waited);
            }
            for (Registrations.Waited<RegisterOutcome> each : all) {
                each.get();
            }
        }
        assertThat(Registrations.find(store, ONE, Registrations.NOW))
                .extracting(Binding::cseq)
                .hasSize(40)
                .doesNotHaveDuplicates();
    }

    private static RegisterOutcome add(List<Binding> current, int number) {
        List<Binding> more = new ArrayList<>(current);
        more.add(Registrations.binding(ONE, number, Registrations.NOW));
        return new RegisterOutcome(RegisterFinding.UPDATED, List.of(), more);
    }

    @Test
    void whatHasExpiredIsRemoved() throws Exception {
        Registrations.register(store, ONE, 1);
        nowMs = Registrations.NOW + 3_599_999;
        store.expire();
        assertThat(rows("SELECT contact FROM offhook_binding")).hasSize(1);
        nowMs++;
        store.expire();

        assertThat(rows("SELECT contact FROM offhook_binding")).isEmpty();
        assertThat(store.figures().expired()).isEqualTo(1);
    }

    @Test
    void allCanBeListed() throws Exception {
        for (int i = 0; i < 5; i++) {
            Registrations.register(store, Registrations.user(i), 1);
        }
        Registrations.update(
                store,
                Registrations.user(4),
                Registrations.change(Registrations.user(4), 2, "<sip:x@y>", Registrations.NOW));
        List<String> listed = new ArrayList<>();

        store.forEach(Registrations.NOW, (user, bindings) -> listed.add(user.user() + " " + bindings.size()));

        assertThat(listed).containsExactly("user-0 1", "user-1 1", "user-2 1", "user-3 1", "user-4 2");
    }

    @Test
    void aDatabaseThatEndsIsAnsweredAndComesBack() throws Exception {
        Registrations.register(store, ONE, 1);
        cluster.end();
        try {
            assertThatThrownBy(() -> Registrations.register(store, ONE, 2)).hasMessageContaining("UNAVAILABLE");
            assertThatThrownBy(() -> Registrations.find(store, ONE, Registrations.NOW))
                    .hasMessageContaining("UNAVAILABLE");
            assertThat(store.figures().failures()).isEqualTo(2);
        } finally {
            cluster.begin();
        }
        assertThat(Registrations.register(store, ONE, 3).finding()).isEqualTo(RegisterFinding.UPDATED);

        cluster.end();
        cluster.begin();
        assertThat(Registrations.register(store, ONE, 4).finding())
                .as("a connection that broke meanwhile is replaced without a failure")
                .isEqualTo(RegisterFinding.UPDATED);
        assertThat(store.figures().failures()).isEqualTo(2);
    }

    @Test
    void moreThanMayWaitIsRefused() throws Exception {
        try (PostgresLocationStore one = PostgresLocationStore.open(config(1), 2, InstantSource.system());
                Connection connection = cluster.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE offhook_binding IN ACCESS EXCLUSIVE MODE");
            List<Registrations.Waited<List<Binding>>> waiting = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                waiting.add(new Registrations.Waited<>());
                one.find(ONE, Registrations.NOW, waiting.getLast());
            }
            assertThatThrownBy(() -> Registrations.find(one, ONE, Registrations.NOW))
                    .hasMessageContaining("OVERLOADED");
            connection.rollback();
            for (Registrations.Waited<List<Binding>> each : waiting) {
                assertThat(each.get()).isEmpty();
            }
        }
    }

    @Test
    void tablesOfALaterVersionAreLeftAlone() throws Exception {
        execute("INSERT INTO offhook_schema VALUES (99)");
        try {
            assertThatThrownBy(this::another).isInstanceOf(IOException.class).hasMessageContaining("are of version 99");
        } finally {
            execute("DELETE FROM offhook_schema WHERE version = 99");
        }
    }

    @Test
    void aDatabaseThatIsNotThereIsReportedWithItsName(@TempDir Path directory) throws Exception {
        Path password = Files.writeString(directory.resolve("password"), "secret\n");
        assertThatThrownBy(() -> PostgresLocationStore.open(
                        new PostgresConfig("jdbc:postgresql://127.0.0.1:1/x", "a", password, 1, 1000),
                        1,
                        InstantSource.system()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("database jdbc:postgresql://127.0.0.1:1/x: ")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> PostgresLocationStore.open(
                        new PostgresConfig("jdbc:other://x", null, null, 1, 1000), 1, InstantSource.system()))
                .hasMessageContaining("org.postgresql:postgresql");
    }
}
