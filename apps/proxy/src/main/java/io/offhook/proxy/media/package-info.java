/**
 * Media relays: rtpengine, controlled by its NG protocol. For each message of a call
 * {@link io.offhook.proxy.media.MediaSessionRules} says whether its session description is an offer or an answer, or ends
 * the call; {@link io.offhook.proxy.media.MediaRelay} has the engine rewrite it, one engine for a call, and completes with
 * a {@link io.offhook.proxy.media.MediaReply}. {@link io.offhook.proxy.media.MediaCalls} puts the two on the way of a lane's
 * messages, which are held meanwhile. Commands are repeated until they are answered, and go to another engine if
 * one is silent. Rules and exchange are without I/O, with time as a parameter; one thread has the sockets.
 */
@NullMarked
package io.offhook.proxy.media;

import org.jspecify.annotations.NullMarked;
