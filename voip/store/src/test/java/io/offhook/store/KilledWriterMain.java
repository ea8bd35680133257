package io.offhook.store;

import io.offhook.calls.CallReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Stores one batch of calls after the other, and prints the number of each that is stored, until it is killed. */
final class KilledWriterMain {
    private KilledWriterMain() {}

    public static void main(String[] arguments) throws Exception {
        List<CallReport> calls = SampleCalls.all();
        try (CallStore store = CallStore.open(Path.of(arguments[0]), StoreSettings.standard())) {
            for (int batch = Integer.parseInt(arguments[1]); ; batch++) {
                List<CallReport> renamed = new ArrayList<>();
                for (CallReport call : calls) {
                    renamed.add(SampleCalls.renamed(call, "/" + batch));
                }
                store.store("killed", renamed);
                System.out.println(batch);
            }
        }
    }
}
