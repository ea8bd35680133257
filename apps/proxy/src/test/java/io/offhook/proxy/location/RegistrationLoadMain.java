package io.offhook.proxy.location;

import io.offhook.sip.SipMessageView;
import io.offhook.sip.digest.DigestClient;
import io.offhook.sip.digest.DigestSettings;
import io.offhook.sip.digest.DigestVerifier;
import io.offhook.sip.registrar.AddressOfRecord;
import io.offhook.sip.registrar.Gruus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;

/**
 * What registrations cost: {@code DIRECTORY USERS REFRESHES}. Registers users, then refreshes them, each REGISTER with
 * digest, and prints heap, disk and processor time for each, and what a start takes. The processor time includes the phones'
 * own digests.
 */
final class RegistrationLoadMain {
    private static final byte[] SECRET = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private RegistrationLoadMain() {}

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        int users = Integer.parseInt(args[1]);
        int refreshes = Integer.parseInt(args[2]);
        LocationConfig config = new LocationConfig(directory, SyncMode.INTERVAL, 64 << 20, 10_000_000, 16_384, null);
        long empty = usedHeap();
        try (MemoryLocationStore store = MemoryLocationStore.open(config, InstantSource.system())) {
            Registrar registrar = registrar(store);
            report("first", users, run(registrar, users, users, 1));
            System.out.printf("heap a binding: %d bytes%n", (usedHeap() - empty) / users);
            report("refresh", refreshes, run(registrar, users, refreshes, 2));
            System.out.println(store.figures());
        }
        long from = System.nanoTime();
        try (MemoryLocationStore store = MemoryLocationStore.open(config, InstantSource.system())) {
            System.out.printf("start: %d ms, %s%n", (System.nanoTime() - from) / 1_000_000, store.recovery());
        }
    }

    private static Registrar registrar(LocationStore store) {
        DigestVerifier verifier = new DigestVerifier(
                DigestSettings.DEFAULT, (name, realm, algorithm) -> algorithm.ha1(name, realm, "secret"), SECRET);
        return new Registrar(
                RegistrarConfig.DEFAULT,
                store,
                "example.com"::equals,
                verifier,
                new Gruus(SECRET),
                new BoundFlows(_ -> true));
    }

    /** @return processor time of the process in ns */
    private static long run(Registrar registrar, int users, int count, long cseq)
            throws IOException, InterruptedException {
        long before = processorTimeNs();
        Semaphore inFlight = new Semaphore(256);
        SipMessageView challenge = new SipMessageView();
        for (int i = 0; i < count; i++) {
            AddressOfRecord user = Registrations.user(i % users);
            String message = Registrations.register(user, cseq + i / users, Registrations.contact(user));
            DigestClient client = new DigestClient(user.user(), "secret", null, new Random(i));
            long nowMs = System.currentTimeMillis();
            registrar.register(
                    Registrations.view(message), Registrations.source(), nowMs, (status, reason, headers) -> {
                        byte[] text = ("SIP/2.0 401 X\r\n" + String.join("\r\n", headers) + "\r\n\r\n")
                                .getBytes(StandardCharsets.UTF_8);
                        challenge.wrap(text, 0, text.length);
                        client.accept(challenge, 0);
                    });
            List<String> lines = client.authorize("REGISTER", "sip:example.com", new byte[0]);
            inFlight.acquire();
            registrar.register(
                    Registrations.view(message.replace("Content", lines.getFirst() + "\r\nContent")),
                    Registrations.source(),
                    nowMs,
                    (status, reason, headers) -> {
                        if (status != 200) {
                            System.out.println(status + " " + reason);
                        }
                        inFlight.release();
                    });
        }
        inFlight.acquire(256);
        return processorTimeNs() - before;
    }

    private static void report(String what, int count, long ns) {
        System.out.printf("%s: %d us of processor time a REGISTER, with its challenge%n", what, ns / 1000 / count);
    }

    private static long processorTimeNs() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
    }

    private static long usedHeap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
