package io.offhook.cluster.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.offhook.cluster.proto.EventsProto;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Old readers read new events, and the reverse. {@code schema-1.desc} is the first schema as protoc describes it, and
 * {@code events-1.bin} an event with each body of it and every field, each preceded by its length. Until the first release
 * both may be made anew, in apps/cluster:
 *
 * <pre>mvn test -Dtest=SchemaVersionsTest -Doffhook.write=true</pre>
 */
class SchemaVersionsTest {
    private static final Path FOLDER = Path.of("src/test/resources/io/offhook/cluster/codec");
    private static final Path EVENTS = FOLDER.resolve("events-1.bin");
    private static final Path SCHEMA = FOLDER.resolve("schema-1.desc");

    @BeforeAll
    static void writeWhereAsked() throws IOException {
        if (!Boolean.getBoolean("offhook.write")) {
            return;
        }
        ByteArrayOutputStream events = new ByteArrayOutputStream();
        for (EventsProto.Event event : FullMessages.events()) {
            event.writeDelimitedTo(events);
        }
        Files.write(EVENTS, events.toByteArray());
        Files.write(
                SCHEMA, FileDescriptorSet.newBuilder().addFile(today()).build().toByteArray());
    }

    private static FileDescriptorProto today() {
        return EventsProto.getDescriptor().toProto();
    }

    private static FileDescriptorProto first() throws IOException {
        return FileDescriptorSet.parseFrom(Files.readAllBytes(SCHEMA)).getFile(0);
    }

    /** The first release's event, as its readers know it. */
    private static Descriptor firstEvent() throws IOException, DescriptorValidationException {
        return FileDescriptor.buildFrom(first(), new FileDescriptor[0]).findMessageTypeByName("Event");
    }

    private static List<DynamicMessage> keptEvents() throws IOException, DescriptorValidationException {
        List<DynamicMessage> events = new ArrayList<>();
        Descriptor type = firstEvent();
        InputStream in = new ByteArrayInputStream(Files.readAllBytes(EVENTS));
        DynamicMessage.Builder builder = DynamicMessage.newBuilder(type);
        while (builder.mergeDelimitedFrom(in)) {
            events.add(builder.build());
            builder = DynamicMessage.newBuilder(type);
        }
        return events;
    }

    @Test
    void theKeptEventsHaveEveryFieldOfTheirSchema() throws Exception {
        List<DynamicMessage> kept = keptEvents();
        assertThat(kept).hasSize(12);
        for (DynamicMessage event : kept) {
            assertFull(event);
        }
    }

    private static void assertFull(Message message) {
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            if (field.getRealContainingOneof() == null) {
                assertThat(message.getAllFields()).containsKey(field);
            }
        }
        message.getAllFields().forEach((field, value) -> {
            if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                (value instanceof List<?> list ? list : List.of(value)).forEach(each -> assertFull((Message) each));
            }
        });
    }

    @Test
    void eventsOfTheFirstReleaseAreReadToday() throws Exception {
        EventReader reader = new EventReader();
        for (DynamicMessage event : keptEvents()) {
            EventStatus status = reader.read(event.toByteArray());
            assertThat(status.isEvent()).as(event + reader.reason()).isTrue();
            // nothing of it is unknown, nor lost
            EventsProto.Event read = EventsProto.Event.parseFrom(EventWriter.write(reader.event()));
            assertSame(event, read);
            assertFull(read);
        }
    }

    @Test
    void eventsOfTodayAreReadByTheFirstRelease() throws Exception {
        Descriptor type = firstEvent();
        EventReader reader = new EventReader();
        for (EventsProto.Event event : FullMessages.events()) {
            assertThat(reader.read(event.toByteArray()).isEvent()).isTrue();
            DynamicMessage read = DynamicMessage.parseFrom(type, EventWriter.write(reader.event()));
            assertSame(read, event);
        }
    }

    /** Each field that the earlier schema has, by its number. */
    private static void assertSame(Message earlier, Message later) {
        for (FieldDescriptor field : earlier.getDescriptorForType().getFields()) {
            FieldDescriptor same = later.getDescriptorForType().findFieldByNumber(field.getNumber());
            if (!field.isRepeated() && field.hasPresence()) {
                assertThat(earlier.hasField(field)).as(field.getFullName()).isEqualTo(later.hasField(same));
            }
            List<?> values = values(earlier, field);
            List<?> laterValues = values(later, same);
            assertThat(values).as(field.getFullName()).hasSameSizeAs(laterValues);
            for (int i = 0; i < values.size(); i++) {
                Object value = values.get(i);
                if (value instanceof Message message) {
                    assertSame(message, (Message) laterValues.get(i));
                } else if (value instanceof EnumValueDescriptor constant) {
                    assertThat(constant.getNumber()).isEqualTo(((EnumValueDescriptor) laterValues.get(i)).getNumber());
                } else {
                    assertThat(value).as(field.getFullName()).isEqualTo(laterValues.get(i));
                }
            }
        }
    }

    private static List<?> values(Message message, FieldDescriptor field) {
        if (field.isRepeated()) {
            return (List<?>) message.getField(field);
        }
        return field.hasPresence() && !message.hasField(field) ? List.of() : List.of(message.getField(field));
    }

    @Test
    void todaysSchemaKeepsTheRules() throws IOException {
        assertThat(SchemaGuard.faults(first(), today())).isEmpty();
    }

    private static List<String> after(Consumer<FileDescriptorProto.Builder> change) {
        FileDescriptorProto.Builder changed = today().toBuilder();
        change.accept(changed);
        return SchemaGuard.faults(today(), changed.build());
    }

    private static DescriptorProto.Builder message(FileDescriptorProto.Builder file, String name) {
        return file.getMessageTypeBuilderList().stream()
                .filter(message -> message.getName().equals(name))
                .findAny()
                .orElseThrow();
    }

    private static FieldDescriptorProto.Builder field(FileDescriptorProto.Builder file, String message, String name) {
        return message(file, message).getFieldBuilderList().stream()
                .filter(field -> field.getName().equals(name))
                .findAny()
                .orElseThrow();
    }

    @Test
    void whatMustNotBeDoneIsFound() {
        assertThat(after(file -> field(file, "Event", "sequence").setNumber(8)))
                .containsExactly("Event.sequence is gone, and its number and name are not reserved");
        assertThat(after(file -> field(file, "Event", "sequence").setType(FieldDescriptorProto.Type.TYPE_FIXED64)))
                .containsExactly("Event.sequence has another type");
        assertThat(after(file -> field(file, "SipMessage", "transport").setTypeName(".offhook.events.v1.Drops.Place")))
                .containsExactly("SipMessage.transport has another type");
        assertThat(after(file -> field(file, "Event", "sequence").setLabel(FieldDescriptorProto.Label.LABEL_REPEATED)))
                .containsExactly("Event.sequence has another label");
        assertThat(after(file -> field(file, "Event", "sequence").setName("number")))
                .containsExactly("Event.sequence is named number");
        assertThat(after(file -> field(file, "Event", "icmp").clearOneofIndex()))
                .containsExactly("Event.icmp is in another oneof", "Event.icmp is a body, or has the number of one");
        assertThat(after(file -> message(file, "Fault").removeField(0)))
                .containsExactly("Fault.what is gone, and its number and name are not reserved");
        assertThat(after(file -> message(file, "Address")
                        .addFieldBuilder()
                        .setName("zone")
                        .setNumber(3)))
                .containsExactly("Address has changed");
        assertThat(after(file -> message(file, "Drops").getEnumTypeBuilder(0).removeValue(2)))
                .containsExactly("Drops.Place.RING has another number or name, or is gone");
        assertThat(after(file -> file.setPackage("offhook.events.v2"))).hasSize(1);
    }

    @Test
    void whatMayBeDoneIsNot() {
        assertThat(after(file ->
                        message(file, "Fault").addFieldBuilder().setName("more").setNumber(4)))
                .isEmpty();
        assertThat(after(file -> message(file, "Drops")
                        .getEnumTypeBuilder(0)
                        .addValueBuilder()
                        .setName("NEW")
                        .setNumber(7)))
                .isEmpty();
        assertThat(after(file -> message(file, "Fault")
                        .removeField(0)
                        .addReservedName("what")
                        .addReservedRangeBuilder()
                        .setStart(1)
                        .setEnd(2)))
                .isEmpty();
    }
}
