// SPDX-License-Identifier: Apache-2.0
// The window that a provider sends back: it hands the code to the page that began, and closes.
const told = Object.fromEntries(new URLSearchParams(location.search));
history.replaceState(null, "", location.pathname);
new BroadcastChannel("outboard sign-in").postMessage(told);
window.close();
