package io.offhook.cli.serve;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.store.StoreException;
import io.offhook.web.data.CallData;
import io.offhook.web.data.CaptureReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;

/** Reads the captures that users drop on the page, each into a database that is deleted with it. */
final class DroppedCaptures implements CaptureReader {
    private final AnalysisOptions options;

    /** @param options of the analysis */
    DroppedCaptures(AnalysisOptions options) {
        this.options = options;
    }

    @Override
    public OpenCapture read(Path file, String name) throws IOException {
        ServedStore store = ServedStore.open(null);
        ServedCalls calls = new ServedCalls(store);
        FilledByFiles filling = new FilledByFiles(List.of(file.toString()), name, calls.metrics());
        calls.filledBy(filling);
        filling.start(store.store(), options, null, InputStream.nullInputStream());
        return new OpenCapture() {
            @Override
            public CallData data() {
                return calls;
            }

            @Override
            public void close() {
                filling.close();
                try {
                    store.close();
                } catch (StoreException _) {
                    // its files are deleted all the same
                }
            }
        };
    }
}
