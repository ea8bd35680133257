package io.offhook.examples;

import io.offhook.forward.application.ForwardApplication;
import io.offhook.forward.application.ForwardConfig;
import java.nio.file.Path;

/**
 * Forwards packets as a YAML file describes it, for some seconds: {@code ForwardByStages FILE SECONDS}. The file can name
 * {@link DropPortsStageType}, a custom stage:
 *
 * <pre>{@code
 * ports:
 *   - {name: left, interface: eth1, promiscuous: true}
 *   - {name: right, interface: eth2, promiscuous: true}
 * lanes:
 *   - ports: [left, right]
 * stages:
 *   - drop-ports: {udp: [5060]}
 *   - bridge
 * }</pre>
 */
public final class ForwardByStages {
    private ForwardByStages() {}

    public static void main(String[] args) throws InterruptedException {
        ForwardConfig config = ForwardConfig.readerForThisMachine().read(Path.of(args[0]));
        try (ForwardApplication application = ForwardApplication.open(config)) {
            application.forwarder().start();
            Thread.sleep(Long.parseLong(args[1]) * 1000);
            application.forwarder().stop();
            application
                    .forwarder()
                    .statistics()
                    .drops()
                    .forEach(drops -> System.out.println(
                            drops.stage() + ", " + drops.cause() + ": " + drops.packets() + " packets dropped"));
        }
    }
}
