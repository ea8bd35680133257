package io.offhook.cli.capture;

import io.offhook.cli.command.Command;
import io.offhook.cli.command.CommandSpec;
import io.offhook.cli.command.ExitCode;
import io.offhook.cli.command.MisuseException;
import io.offhook.cli.command.OutputOptions;
import io.offhook.cli.command.ParseResult;
import io.offhook.cli.input.LiveInput;
import io.offhook.cli.input.RemedyText;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Table;
import io.offhook.cli.terminal.Terminal;
import io.offhook.cli.terminal.Text;
import io.offhook.linux.LinuxException;
import io.offhook.linux.network.NetworkDevice;
import io.offhook.live.CaptureBackend;
import io.offhook.live.CaptureDevice;
import io.offhook.live.LiveInterface;
import io.offhook.packet.Endpoint;
import io.offhook.report.fields.CsvFields;
import io.offhook.report.fields.FieldWriter;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.Decimals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** {@code offhook interfaces}: lists what {@code -i} accepts, and what is missing to capture from each. */
public final class InterfacesCommand implements Command {
    /** The columns of CSV. */
    static final List<String> COLUMNS =
            List.of("name index state up mtu speedMbps linkAddress addresses backends".split(" ", -1));

    private final Supplier<List<LiveInterface>> lister;
    private final Supplier<List<Device>> deviceLister;

    public InterfacesCommand() {
        this(LiveInterface::all, InterfacesCommand::ownDevices);
    }

    /**
     * Creates the command with other sources of interfaces.
     *
     * @param lister lists the interfaces; throws a {@link LinuxException} if the kernel refuses
     * @param deviceLister lists the devices of backends
     */
    InterfacesCommand(Supplier<List<LiveInterface>> lister, Supplier<List<Device>> deviceLister) {
        this.lister = lister;
        this.deviceLister = deviceLister;
    }

    /** A device that only a backend knows. */
    record Device(String backend, CaptureDevice device) {
        LiveInterface.Backend way() {
            return new LiveInterface.Backend(backend, device.availability());
        }

        boolean isCard() {
            return device.driver() != null;
        }
    }

    /** The devices of all backends. */
    static List<Device> ownDevices() {
        List<Device> all = new ArrayList<>();
        for (CaptureBackend backend : CaptureBackend.all()) {
            backend.ownDevices().forEach(device -> all.add(new Device(backend.name(), device)));
        }
        return all;
    }

    /** The interfaces of the kernel and the devices of backends. */
    private record Found(List<LiveInterface> interfaces, List<Device> devices) {}

    @Override
    public void describe(CommandSpec spec) {
        OutputOptions.describe(spec);
    }

    @Override
    public int run(ParseResult arguments, Terminal terminal) throws IOException {
        OutputOptions output = OutputOptions.of(arguments);
        String system = System.getProperty("os.name");
        if (!system.equals("Linux")) {
            throw new MisuseException("live capture needs Linux; this is " + system);
        }
        List<LiveInterface> interfaces;
        try {
            interfaces = lister.get();
        } catch (LinuxException e) {
            throw LiveInput.unlisted(e);
        }
        Found found = new Found(interfaces, deviceLister.get());
        switch (output.format()) {
            case TABLE -> table(found, output, terminal);
            case JSON -> json(found, terminal);
            case CSV -> csv(found, terminal);
        }
        terminal.flush();
        return ExitCode.DONE;
    }

    private static void table(Found found, OutputOptions output, Terminal terminal) throws IOException {
        boolean colored = terminal.isColored(output.color());
        Table table = new Table(List.of(
                Table.Column.key("Interface", 15),
                Table.Column.text("State", 90, 7),
                Table.Column.number("MTU", 40),
                Table.Column.number("Speed", 42),
                Table.Column.text("Link address", 35, 17),
                Table.Column.text("Addresses", 70, 15),
                Table.Column.text("Capture", 95, 24)));
        for (LiveInterface one : found.interfaces()) {
            NetworkDevice device = one.device();
            Table.Row row = table.row()
                    .cell(device.name())
                    .cell(device.status().operational().label(), device.isUp() ? Style.PLAIN : Style.FAINT)
                    .cell(Decimals.grouped(device.mtu()))
                    .cell(speed(device.speedMbps()))
                    .cell(device.linkAddress())
                    .cell(String.join(" ", addresses(device)));
            boolean isUsable =
                    one.backends().stream().anyMatch(way -> way.availability().isUsable());
            row.cell(
                    String.join(
                            ", ",
                            one.backends().stream()
                                    .map(InterfacesCommand::reported)
                                    .toList()),
                    isUsable ? Style.GOOD : Style.BAD);
        }
        table.print(terminal, colored);
        if (!found.devices().isEmpty()) {
            terminal.out().append('\n');
            devices(found, terminal, colored);
        }
        remedies(found, terminal);
    }

    /** "xdp: the interface is down" */
    private static String reported(LiveInterface.Backend backend) {
        String missing = backend.availability().missing();
        return missing == null ? backend.name() : backend.name() + ": " + missing;
    }

    private static void devices(Found found, Terminal terminal, boolean colored) throws IOException {
        Table table = new Table(List.of(
                Table.Column.key("Device", 12),
                Table.Column.text("What it is", 70, 12),
                Table.Column.text("Capture", 95, 24)));
        for (Device one : found.devices()) {
            boolean isUsable = one.device().availability().isUsable();
            table.row()
                    .cell(one.device().name())
                    .cell(description(one.device()))
                    .cell(reported(one.way()), isUsable ? Style.GOOD : Style.BAD);
        }
        table.print(terminal, colored);
    }

    /** "8086:1572, driver i40e, ens1f0" */
    private static String description(CaptureDevice device) {
        String driver = device.driver();
        if (driver == null) {
            return device.description();
        }
        List<String> parts = new ArrayList<>(List.of(device.description()));
        parts.add(driver.isEmpty() ? "no driver" : "driver " + driver);
        parts.addAll(device.interfaces());
        return String.join(", ", parts);
    }

    /** Prints the commands that help, each once. Those that detach a card from the kernel are listed separately. */
    private static void remedies(Found found, Terminal terminal) throws IOException {
        Set<String> commands = new LinkedHashSet<>();
        found.interfaces()
                .forEach(one -> one.backends().forEach(way -> commands.addAll(RemedyText.lines(way.availability()))));
        Set<String> ofCards = new LinkedHashSet<>();
        Set<String> lost = new LinkedHashSet<>();
        for (Device one : found.devices()) {
            (one.isCard() ? ofCards : commands)
                    .addAll(RemedyText.lines(one.device().availability()));
            lost.addAll(one.device().lostInterfaces());
        }
        commands("What would help:", commands, terminal);
        String ending = lost.isEmpty() ? "" : ", where the kernel then loses " + String.join(", ", lost);
        commands("Only to give a card to DPDK" + ending + ":", ofCards, terminal);
    }

    private static void commands(String title, Set<String> commands, Terminal terminal) throws IOException {
        if (commands.isEmpty()) {
            return;
        }
        terminal.out().append('\n').append(title).append('\n');
        for (String command : commands) {
            terminal.out().append("  ").append(Text.printable(command)).append('\n');
        }
    }

    /** The addresses with their prefix lengths; IPv6 as in RFC 5952. */
    private static List<String> addresses(NetworkDevice device) {
        return device.addresses().stream()
                .map(address -> {
                    int slash = address.indexOf('/');
                    return Endpoint.of(address.substring(0, slash), 0).addressText() + address.substring(slash);
                })
                .toList();
    }

    private static String speed(int mbps) {
        return mbps < 0 ? "" : mbps % 1000 == 0 && mbps > 0 ? mbps / 1000 + " Gb/s" : mbps + " Mb/s";
    }

    private static void json(Found found, Terminal terminal) throws IOException {
        try (JsonFields json = terminal.json()) {
            json.object().array("interfaces");
            for (LiveInterface one : found.interfaces()) {
                json.line().object();
                write(json, one);
                backends(json, one.backends());
            }
            json.line().end().array("devices");
            for (Device one : found.devices()) {
                CaptureDevice device = one.device();
                String driver = device.driver();
                json.line()
                        .object()
                        .field("name", device.name())
                        .field("description", device.description())
                        .field("driver", driver == null || driver.isEmpty() ? null : driver)
                        .array("interfaces");
                device.interfaces().forEach(json::element);
                json.end();
                backends(json, List.of(one.way()));
            }
            json.line().end().end();
        }
    }

    private static void backends(JsonFields json, List<LiveInterface.Backend> backends) {
        json.array("backends");
        for (LiveInterface.Backend backend : backends) {
            json.object()
                    .field("name", backend.name())
                    .field("usable", backend.availability().isUsable())
                    .field("missing", backend.availability().missing())
                    .field("remedy", RemedyText.of(backend.availability()))
                    .end();
        }
        json.end().end();
    }

    private static void csv(Found found, Terminal terminal) throws IOException {
        CsvFields csv = terminal.csv(COLUMNS);
        for (LiveInterface one : found.interfaces()) {
            write(csv, one);
            record(csv, one.backends());
        }
        for (Device one : found.devices()) {
            csv.field("name", one.device().name());
            record(csv, List.of(one.way()));
        }
    }

    private static void record(CsvFields csv, List<LiveInterface.Backend> backends) throws IOException {
        csv.array("backends");
        backends.forEach(backend -> csv.element(reported(backend)));
        csv.end();
        csv.endRecord();
    }

    private static void write(FieldWriter out, LiveInterface one) {
        NetworkDevice device = one.device();
        out.field("name", device.name())
                .field("index", device.index())
                .field("state", device.status().operational().label())
                .field("up", device.isUp())
                .field("mtu", device.mtu());
        int speed = device.speedMbps();
        if (speed < 0) {
            out.nullField("speedMbps");
        } else {
            out.field("speedMbps", speed);
        }
        out.field("linkAddress", device.linkAddress().isEmpty() ? null : device.linkAddress())
                .array("addresses");
        addresses(device).forEach(out::element);
        out.end();
    }
}
