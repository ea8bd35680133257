package io.offhook.web.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.offhook.report.fields.FieldWriter;
import io.offhook.store.StoreException;
import io.offhook.web.EmptyCalls;
import io.offhook.web.data.CallData;
import io.offhook.web.data.KeyedCall;
import io.offhook.web.http.BadRequestException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeyedCallsTest {
    private static final String MINE = "0123456789abcdef0123456789abcdef";
    private static final CallData.CallKey CALL = new CallData.CallKey(1, List.of("a@b"));

    private long nowNs;
    private final List<FakeCall> opened = new ArrayList<>();
    private Data data;
    private KeyedCalls calls;

    @BeforeEach
    void begin() throws StoreException {
        data = new Data();
        calls = new KeyedCalls(() -> nowNs);
    }

    @AfterEach
    void closesAll() {
        calls.close();
        assertThat(opened).allMatch(call -> call.closed == 1);
    }

    /** Opens calls that say whether they were closed. */
    private final class Data extends EmptyCalls {
        Data() throws StoreException {}

        @Override
        public KeyedCall open(CallKey call, MemorySegment keys) {
            if (keys.byteSize() == 0) {
                throw new IllegalArgumentException("there is no key in it");
            }
            FakeCall made = new FakeCall(this);
            opened.add(made);
            return made;
        }
    }

    private static final class FakeCall implements KeyedCall {
        private final CallData data;
        private boolean isInUse;
        private int closed;

        FakeCall(CallData data) {
            this.data = data;
        }

        @Override
        public CallData data() {
            return data;
        }

        @Override
        public State state() {
            return State.READY;
        }

        @Override
        public boolean isInUse() {
            return isInUse;
        }

        @Override
        public void write(FieldWriter out) {
            // nothing was found
        }

        @Override
        public void close() {
            closed++;
        }
    }

    private KeyedCalls.Opened open(String session) throws IOException {
        return calls.open(session, CALL, null, data, MemorySegment.ofArray(new byte[1]));
    }

    @Test
    void isFoundByItsSessionOnly() throws IOException {
        KeyedCalls.Opened mine = open(MINE);
        String other = calls.newSession();
        assertThat(other).hasSize(32).isNotEqualTo(calls.newSession());
        assertThat(calls.find(mine.id, MINE)).isSameAs(mine);
        assertThat(calls.find(mine.id, other)).isNull();
        assertThat(calls.find(mine.id, null)).isNull();
        assertThat(calls.all(other)).isEmpty();
        assertThat(calls.remove(mine.id, other)).isFalse();
        assertThat(calls.remove(mine.id, MINE)).isTrue();
        assertThat(calls.remove(mine.id, MINE)).isFalse();
    }

    @Test
    void isForgottenWhenNobodyAskedForItForTenMinutes() throws IOException {
        KeyedCalls.Opened call = open(MINE);
        nowNs += KeyedCalls.IDLE_NS;
        assertThat(calls.find(call.id, MINE)).isSameAs(call);
        nowNs += KeyedCalls.IDLE_NS;
        calls.forgetOld();
        assertThat(calls.all(MINE)).containsExactly(call);
        assertThat(call.leftMs()).isZero();
        nowNs++;
        calls.forgetOld();
        assertThat(calls.all(MINE)).isEmpty();
        assertThat(opened.getFirst().closed).isEqualTo(1);
    }

    @Test
    void isKeptWhileSomebodyListensButForNoMoreThanAnHour() throws IOException {
        open(MINE);
        opened.getFirst().isInUse = true;
        nowNs += KeyedCalls.MOST_NS;
        calls.forgetOld();
        assertThat(calls.all(MINE)).hasSize(1);
        nowNs++;
        calls.forgetOld();
        assertThat(calls.all(MINE)).isEmpty();
    }

    @Test
    void isRefusedBeyondItsNumberAndWithoutKeys() throws IOException {
        for (int i = 0; i < KeyedCalls.MOST; i++) {
            open(calls.newSession());
        }
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> open(MINE))
                .satisfies(refused -> assertThat(refused.status()).isEqualTo(429));
        nowNs += KeyedCalls.IDLE_NS + 1;
        calls.forgetOld();
        open(MINE);
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> calls.open(MINE, CALL, null, data, MemorySegment.NULL))
                .satisfies(refused -> assertThat(refused.status()).isEqualTo(400))
                .withMessageContaining("there is no key in it");
    }
}
