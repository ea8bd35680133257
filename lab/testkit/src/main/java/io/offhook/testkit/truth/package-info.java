/** What is true of traffic by construction: its calls, streams, registrations and RTCP, as records and as JSON. */
@NullMarked
package io.offhook.testkit.truth;

import org.jspecify.annotations.NullMarked;
