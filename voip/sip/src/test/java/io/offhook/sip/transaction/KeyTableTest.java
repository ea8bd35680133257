package io.offhook.sip.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.WrapStatus;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The table against a HashMap. */
class KeyTableTest {
    private record Key(long high, long low) {}

    private static final TransactionLayer LAYER = new TransactionLayer(
            0,
            new TransactionSettings(TransactionTimers.DEFAULT, TransactionLimits.DEFAULT, 1),
            (to, octets, offset, length) -> true,
            new NoUser(),
            0);

    private static ServerTransaction transaction(Key key) {
        ServerTransaction transaction = new ServerTransaction(LAYER);
        transaction.keyHigh = key.high();
        transaction.keyLow = key.low();
        return transaction;
    }

    @Test
    void agreesWithAMapWhileItGrowsAndShrinks() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        KeyTable table = new KeyTable();
        Map<Key, ServerTransaction> model = new HashMap<>();
        List<Key> keys = new ArrayList<>();
        for (int i = 0; i < 8000; i++) {
            // few different places, so that there are long runs, also around the end
            long low = i % 3 == 0 ? random.nextInt(8) - 4 : random.nextInt(20_000);
            keys.add(new Key(random.nextInt(4), low));
        }
        for (int step = 0; step < 60_000; step++) {
            boolean grows = step / 10_000 % 2 == 0;
            Key key = keys.get(random.nextInt(keys.size()));
            ServerTransaction known = model.get(key);
            assertThat(table.find(key.high(), key.low())).as("seed %d", seed).isSameAs(known);
            if (known == null && random.nextInt(10) < (grows ? 9 : 2)) {
                ServerTransaction added = transaction(key);
                table.add(added);
                model.put(key, added);
            } else if (known != null && random.nextInt(10) < (grows ? 2 : 9)) {
                table.remove(known);
                model.remove(key);
            }
            if (random.nextInt(100) == 0) {
                table.trim();
            }
            assertThat(table.count()).isEqualTo(model.size());
        }
        model.forEach((key, value) -> assertThat(table.find(key.high(), key.low()))
                .as("seed %d", seed)
                .isSameAs(value));
        model.values().forEach(table::remove);
        assertThat(table.count()).isZero();
        for (Key key : keys) {
            assertThat(table.find(key.high(), key.low())).isNull();
        }
        // one that is not there changes nothing
        table.remove(transaction(new Key(9, 9)));
        assertThat(table.count()).isZero();
    }

    /** A user that receives nothing. */
    static final class NoUser implements TransactionUser {
        @Override
        public void request(ServerTransaction transaction, SipMessageView request, long nowNs) {}

        @Override
        public void cancel(
                ServerTransaction transaction,
                @Nullable ServerTransaction invite,
                SipMessageView request,
                long nowNs) {}

        @Override
        public void ack(SipMessageView ack, SipHop source, long nowNs) {}

        @Override
        public void response(ClientTransaction transaction, SipMessageView response, long nowNs) {}

        @Override
        public void statelessResponse(SipMessageView response, SipHop source, long nowNs) {}

        @Override
        public void timedOut(ClientTransaction transaction, long nowNs) {}

        @Override
        public void failed(ClientTransaction transaction, long nowNs) {}

        @Override
        public void ended(ServerTransaction transaction) {}

        @Override
        public void ended(ClientTransaction transaction) {}

        @Override
        public void rejected(
                SipMessageView message, WrapStatus status, MessageFault fault, SipHop source, long nowNs) {}
    }
}
