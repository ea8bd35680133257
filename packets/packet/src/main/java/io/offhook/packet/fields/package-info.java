/**
 * Layers and their fields by name, for output rather than for speed. {@link io.offhook.packet.fields.LayerFields}
 * reports every field of every layer to a {@code FieldVisitor}; {@link io.offhook.packet.fields.ApplicationRecognizer}
 * classifies what a transport layer carries.
 */
@NullMarked
package io.offhook.packet.fields;

import org.jspecify.annotations.NullMarked;
