/**
 * Events to octets and back, by protobuf and the schema of {@code src/main/proto}: {@link io.offhook.cluster.codec.EventWriter}
 * writes one event, {@link io.offhook.cluster.codec.EventReader} reads one and says by an
 * {@link io.offhook.cluster.codec.EventStatus} whether it could. {@code BodyWriter} and {@code BodyReader} know the bodies;
 * nothing outside of this package sees the classes that protoc makes.
 */
@NullMarked
package io.offhook.cluster.codec;

import org.jspecify.annotations.NullMarked;
