package io.offhook.proxy.location;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipTransport;
import io.offhook.sip.SipUri;
import io.offhook.sip.registrar.AddressOfRecord;
import io.offhook.sip.registrar.Binding;
import io.offhook.sip.registrar.Gruus;
import io.offhook.sip.registrar.RegisteredTarget;
import io.offhook.sip.registrar.RegistrationSource;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the end of a connection means for the phones that registered over it. */
class BoundFlowsTest {
    private static final AddressOfRecord ALICE = new AddressOfRecord("alice", "example.com");
    private static final String INSTANCE = ";+sip.instance=\"<urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6>\"";
    private static final String BEHIND_NAT = "<sip:alice@10.0.0.7:5060;transport=tcp>";
    private static final String REACHABLE = "<sip:alice@192.0.2.17:5060;transport=tcp>";

    private final Set<Byte> open = ConcurrentHashMap.newKeySet();
    private final BoundFlows flows = new BoundFlows(token -> open.contains(token[0]));
    private MemoryLocationStore store;
    private Registrar registrar;
    private long cseq;

    @BeforeEach
    void open() throws Exception {
        store = MemoryLocationStore.open(
                LocationConfig.DEFAULT, InstantSource.fixed(Instant.ofEpochMilli(Registrations.NOW)));
        registrar = new Registrar(
                RegistrarConfig.DEFAULT, store, "example.com"::equals, null, new Gruus(new byte[16]), flows);
        open.addAll(Set.of((byte) 1, (byte) 2));
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Registers over a flow, whose token has one byte. */
    private void register(AddressOfRecord user, int flow, SipTransport transport, String contact, String... headers)
            throws Exception {
        String message = Registrations.register(user, ++cseq, contact)
                .replace(
                        "Content-Length",
                        String.join("\r\n", headers) + (headers.length > 0 ? "\r\n" : "") + "Content-Length");
        RegistrationSource source =
                new RegistrationSource(Endpoint.of("192.0.2.17", 33000), transport, new byte[] {(byte) flow});
        CompletableFuture<Integer> status = new CompletableFuture<>();
        registrar.register(
                Registrations.view(message), source, Registrations.NOW, (code, reason, lines) -> status.complete(code));
        assertThat(status.get(30, TimeUnit.SECONDS)).isEqualTo(200);
    }

    private void end(int flow) {
        open.remove((byte) flow);
        registrar.flowEnded(new byte[] {(byte) flow});
    }

    private List<Binding> found() throws Exception {
        Registrations.Waited<List<RegisteredTarget>> waited = new Registrations.Waited<>();
        registrar.find(SipUri.parse("sip:alice@example.com"), Registrations.NOW, waited);
        List<Binding> bindings = new ArrayList<>();
        for (RegisteredTarget target : waited.get()) {
            bindings.add(target.binding());
            bindings.addAll(target.others());
        }
        return bindings;
    }

    /** What is in the store, after all changes before. */
    private List<Binding> kept() throws Exception {
        Registrations.update(
                store,
                ALICE,
                current -> new io.offhook.sip.registrar.RegisterOutcome(
                        io.offhook.sip.registrar.RegisterFinding.QUERIED, List.of(), null));
        return Registrations.find(store, ALICE, Registrations.NOW);
    }

    @Test
    void removesAPhoneThatNothingElseLeadsTo() throws Exception {
        register(ALICE, 1, SipTransport.TCP, BEHIND_NAT);
        assertThat(found()).hasSize(1);
        end(1);
        assertThat(found()).isEmpty();
        assertThat(kept()).isEmpty();
        assertThat(flows.size()).isZero();
        assertThat(registrar.flowsEnded()).isOne();
    }

    @Test
    void keepsAPhoneThatCanBeConnectedTo() throws Exception {
        register(ALICE, 1, SipTransport.TCP, REACHABLE);
        end(1);
        assertThat(kept()).singleElement().satisfies(binding -> {
            assertThat(binding.flowToken()).isEmpty();
            assertThat(binding.contact()).isEqualTo("sip:alice@192.0.2.17:5060;transport=tcp");
            assertThat(binding.userAgent()).isEqualTo("Phone/4.7.1 (0004f2a1b2c3)");
            assertThat(Binding.of(binding.encoded())).isEqualTo(binding);
        });
        assertThat(found()).isEqualTo(kept());
    }

    /** A browser takes no connections, whatever its contact says. */
    @Test
    void removesABrowser() throws Exception {
        register(ALICE, 1, SipTransport.WSS, "<sip:alice@192.0.2.17;transport=ws>");
        end(1);
        assertThat(kept()).isEmpty();
    }

    /** RFC 5626, 7: the other flow of the same phone is tried. */
    @Test
    void leavesTheOtherFlowOfAPhone() throws Exception {
        String outbound = "Supported: outbound, path";
        register(ALICE, 1, SipTransport.TCP, REACHABLE + INSTANCE + ";reg-id=1", outbound);
        register(ALICE, 2, SipTransport.TCP, REACHABLE + INSTANCE + ";reg-id=2", outbound);
        assertThat(found()).hasSize(2);
        end(2);
        assertThat(found()).extracting(Binding::regId).containsExactly(1);
        assertThat(kept()).hasSize(1);
    }

    @Test
    void leavesAPhoneThatHasComeBackOverAnotherFlow() throws Exception {
        register(ALICE, 1, SipTransport.TCP, BEHIND_NAT);
        register(ALICE, 2, SipTransport.TCP, BEHIND_NAT);
        end(1);
        assertThat(kept())
                .singleElement()
                .satisfies(binding -> assertThat(binding.flowToken()).containsExactly(2));
        assertThat(found()).hasSize(1);
        assertThat(flows.size()).isOne();
    }

    /** The connection ended while the registration was being written. */
    @Test
    void removesAPhoneWhoseFlowEndedBeforeItWasBound() throws Exception {
        open.remove((byte) 1);
        register(ALICE, 1, SipTransport.TCP, BEHIND_NAT);
        assertThat(kept()).isEmpty();
        assertThat(flows.size()).isZero();
    }

    /** Flows of a process before, or of another one that shares the database. */
    @Test
    void passesOverFlowsThatAreNotOpenHere() throws Exception {
        register(ALICE, 1, SipTransport.TCP, BEHIND_NAT);
        register(ALICE, 2, SipTransport.TCP, REACHABLE);
        open.clear();
        assertThat(found())
                .singleElement()
                .satisfies(binding -> assertThat(binding.flowToken()).isEmpty());
        assertThat(kept()).hasSize(2);
    }

    /** A token of datagrams names no connection that could end. */
    @Test
    void remembersNoDatagrams() throws Exception {
        register(ALICE, 1, SipTransport.UDP, BEHIND_NAT);
        assertThat(flows.size()).isZero();
        assertThat(found()).hasSize(1);
    }

    @Test
    void remembersAThousandUsersOfAFlow() throws Exception {
        byte[] token = {1};
        for (int i = 0; i < BoundFlows.MOST_OF_A_FLOW + 10; i++) {
            flows.bind(token, Registrations.user(i));
            flows.bind(token, Registrations.user(0));
        }
        assertThat(flows.beyond()).isEqualTo(10);
        assertThat(flows.unbind(token)).hasSize(BoundFlows.MOST_OF_A_FLOW);
        assertThat(flows.unbind(token)).isEmpty();
    }
}
