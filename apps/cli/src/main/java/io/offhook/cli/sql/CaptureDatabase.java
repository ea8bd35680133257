package io.offhook.cli.sql;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.analysis.CaptureReport;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.OwnDrops;
import io.offhook.pcap.CaptureLoss;
import io.offhook.store.CallStore;
import io.offhook.store.CaptureDrop;
import io.offhook.store.CaptureLoader;
import io.offhook.store.StoreSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Loads captures into a database. */
public final class CaptureDatabase {
    private CaptureDatabase() {}

    /** @param names of the captures, as given */
    static AnalysisResult write(String file, List<String> names, OpenCapture input, AnalysisOptions options)
            throws IOException {
        try (CallStore store = CallStore.open(Path.of(file), StoreSettings.standard())) {
            return load(store, names, input, options);
        }
    }

    static AnalysisResult load(CallStore store, List<String> names, OpenCapture input, AnalysisOptions options)
            throws IOException {
        CaptureLoader loader = new CaptureLoader(store, String.join(", ", names));
        AnalysisResult result = input.analyse(options.withListener(loader.listener())
                .withMedia(options.media().withIntervals(true)));
        loader.finish(result.calls(), result.registrations(), result.capture().lastNs(), drops(result.capture()));
        return result;
    }

    /** What a capture lost itself, and what Offhook lost of it. */
    public static List<CaptureDrop> drops(CaptureReport capture) {
        List<CaptureDrop> drops = new ArrayList<>();
        for (CaptureLoss loss : capture.losses()) {
            drops.add(new CaptureDrop(loss.untilNs(), loss.file(), "captureLoss", loss.packets()));
        }
        for (CaptureReport.Counter counter : capture.counters()) {
            if (OwnDrops.isDrop(counter)) {
                long ns = counter.lastNs() > 0 ? counter.lastNs() : capture.lastNs();
                drops.add(new CaptureDrop(ns, "analysis", counter.name(), counter.count()));
            }
        }
        return drops;
    }
}
