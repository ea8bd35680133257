/**
 * The server of {@code offhook serve}: {@link io.offhook.web.CallServer} listens, shows the calls of a database in a page, and
 * answers programs in JSON (the interface is described by {@code /api/v1/openapi.json}). It neither captures nor analyses:
 * whoever starts it gives it {@link io.offhook.web.data.CallData}.
 */
@NullMarked
package io.offhook.web;

import org.jspecify.annotations.NullMarked;
