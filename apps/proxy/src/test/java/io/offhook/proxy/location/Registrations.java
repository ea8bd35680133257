package io.offhook.proxy.location;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipTransport;
import io.offhook.sip.registrar.AddressOfRecord;
import io.offhook.sip.registrar.Binding;
import io.offhook.sip.registrar.RegisterOutcome;
import io.offhook.sip.registrar.RegisterRequest;
import io.offhook.sip.registrar.RegistrarPolicy;
import io.offhook.sip.registrar.RegistrarRules;
import io.offhook.sip.registrar.RegistrationSource;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** REGISTERs as phones send them, and stores that are waited for. */
final class Registrations {
    static final long NOW = 1_800_000_000_000L;
    static final RegistrarRules RULES = new RegistrarRules(RegistrarPolicy.DEFAULT, null);

    private Registrations() {}

    static AddressOfRecord user(int number) {
        return new AddressOfRecord("user-" + number, "example.com");
    }

    static String register(AddressOfRecord user, long cseq, String contact) {
        return "REGISTER sip:example.com SIP/2.0\r\n"
                + "Via: SIP/2.0/UDP 192.0.2.17:5060;branch=z9hG4bK" + cseq + ";rport\r\n"
                + "From: <" + user.uri() + ">;tag=4711\r\nTo: <" + user.uri() + ">\r\n"
                + "Call-ID: 0d4f2e1a-77b1-4c1d-" + user.user() + "\r\nCSeq: " + cseq + " REGISTER\r\n"
                + "User-Agent: Phone/4.7.1 (0004f2a1b2c3)\r\n"
                + "Contact: " + contact + "\r\nContent-Length: 0\r\n\r\n";
    }

    /** As a desk phone registers, with an instance. */
    static String contact(AddressOfRecord user) {
        return "<sip:" + user.user() + "@192.0.2.17:5060;transport=udp;ob>"
                + ";+sip.instance=\"<urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6>\"";
    }

    static SipMessageView view(String message) {
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        SipMessageView view = new SipMessageView();
        view.wrap(bytes, 0, bytes.length);
        return view;
    }

    static RegistrationSource source() {
        return new RegistrationSource(Endpoint.of("192.0.2.17", 5060), SipTransport.UDP, new byte[12]);
    }

    static BindingChange change(AddressOfRecord user, long cseq, String contact, long nowMs) {
        RegisterRequest request = RegisterRequest.read(view(register(user, cseq, contact)), source());
        return current -> RULES.apply(request, current, nowMs);
    }

    static Binding binding(AddressOfRecord user, long cseq, long nowMs) {
        List<Binding> bindings =
                change(user, cseq, contact(user), nowMs).apply(List.of()).bindings();
        if (bindings == null) {
            throw new AssertionError("not bound");
        }
        return bindings.getFirst();
    }

    /** A callback that can be waited for; a failure is an exception with its name. */
    static final class Waited<T> implements StoreCallback<T> {
        final CompletableFuture<T> future = new CompletableFuture<>();

        @Override
        public void done(T result) {
            future.complete(result);
        }

        @Override
        public void failed(StoreFailure failure) {
            future.completeExceptionally(new IllegalStateException(failure.name()));
        }

        T get() throws Exception {
            return future.get(30, TimeUnit.SECONDS);
        }
    }

    static RegisterOutcome update(LocationStore store, AddressOfRecord user, BindingChange change) throws Exception {
        Waited<RegisterOutcome> waited = new Waited<>();
        store.update(user, change, waited);
        return waited.get();
    }

    static RegisterOutcome register(LocationStore store, AddressOfRecord user, long cseq) throws Exception {
        return update(store, user, change(user, cseq, contact(user), NOW));
    }

    static List<Binding> find(LocationStore store, AddressOfRecord user, long nowMs) throws Exception {
        Waited<List<Binding>> waited = new Waited<>();
        store.find(user, nowMs, waited);
        return waited.get();
    }
}
