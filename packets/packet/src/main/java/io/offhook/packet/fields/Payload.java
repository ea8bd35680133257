package io.offhook.packet.fields;

import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.Protocol;

/** The bytes that the walk does not decode, and their length. */
final class Payload extends Protocol {
    Payload() {
        super(LayerType.PAYLOAD.label(), HeaderLayout.NONE);
    }

    @Override
    public void fields(Layer layer, FieldVisitor to) {
        to.number("length", layer.length());
        to.bytes("data", layer.segment(), layer.offset(), layer.length());
    }
}
