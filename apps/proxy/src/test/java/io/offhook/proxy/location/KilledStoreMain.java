package io.offhook.proxy.location;

import io.offhook.sip.registrar.AddressOfRecord;
import io.offhook.sip.registrar.RegisterOutcome;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;

/** Registers until it is killed, and prints what was acknowledged: user and CSeq number, a line each. */
final class KilledStoreMain {
    static final int USERS = 40;

    private KilledStoreMain() {}

    /** A clock whose seconds are short, so that snapshots are written often. */
    private static InstantSource fast() {
        long startMs = System.currentTimeMillis();
        return () -> Instant.ofEpochMilli(startMs + 50 * (System.currentTimeMillis() - startMs));
    }

    public static void main(String[] args) throws Exception {
        long cseq = Long.parseLong(args[1]);
        Semaphore inFlight = new Semaphore(32);
        LocationConfig config = new LocationConfig(Path.of(args[0]), SyncMode.NEVER, 1 << 16, 1000, 1000, null);
        try (MemoryLocationStore store = MemoryLocationStore.open(config, fast())) {
            while (true) {
                cseq++;
                long number = cseq;
                AddressOfRecord user = Registrations.user((int) (cseq % USERS));
                inFlight.acquire();
                store.update(
                        user,
                        Registrations.change(user, number, Registrations.contact(user), System.currentTimeMillis()),
                        new StoreCallback<>() {
                            @Override
                            public void done(RegisterOutcome result) {
                                System.out.println(user.user() + " " + number);
                                inFlight.release();
                            }

                            @Override
                            public void failed(StoreFailure failure) {
                                System.out.println("failed " + failure);
                                inFlight.release();
                            }
                        });
            }
        }
    }
}
