/**
 * What the page shows, as the server is given it: {@link io.offhook.web.data.CallData}, a database of calls with the packets
 * that belong to them; {@link io.offhook.web.data.InputState}, what is read or listened to; and the limits within which
 * requests read it.
 */
@NullMarked
package io.offhook.web.data;

import org.jspecify.annotations.NullMarked;
