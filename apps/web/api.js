// SPDX-License-Identifier: Apache-2.0

/// What the server answered in place of what was asked for. status 0: it did not answer.
export class ApiError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/// The server's REST, with the token where there is one. It keeps the secrets of what it makes, and shows them where
/// that is changed.
export class Api {
  constructor(token, secrets) {
    Object.assign(this, { token, secrets });
  }

  get(path) { return this.request('GET', path); }
  post(path, body) { return this.request('POST', path, body); }
  patch(path, body) { return this.request('PATCH', path, body); }
  delete(path) { return this.request('DELETE', path); }

  async request(method, path, body) {
    const headers = {};
    const secret = method === 'GET' ? null : this.secrets.of(nameOf(path, body));
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    if (secret) headers['X-Ringwave-Secret'] = secret;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    let response;
    try {
      response = await fetch(path, { method, headers, body: body && JSON.stringify(body), cache: 'no-store' });
    } catch {
      throw new ApiError(0, 'unreachable', 'The server does not answer.');
    }
    const text = await response.text();
    const answer = parsed(text);
    if (response.ok) return this.learn(method, path, answer);
    const { code = 'internal', message = `The server answered ${response.status}.` } = answer?.error ?? {};
    throw new ApiError(response.status, code, message);
  }

  /// A secret is told once, when something is made; what is deleted has none any more.
  learn(method, path, answer) {
    if (answer?.secret) this.secrets.keep(nameOf(path, answer), answer.secret);
    if (method === 'DELETE') this.secrets.forget(path);
    return answer;
  }

  /// An address for what takes no headers: a WebSocket, a download.
  address(path, query = {}) {
    const url = new URL(path, location.href);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    if (this.token) url.searchParams.set('token', this.token);
    return url;
  }

  socketAddress(path, query) {
    const url = this.address(path, query);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    return url;
  }
}

/// The path of what a request is about, also where it makes or replaces it.
function nameOf(path, { id, name } = {}) {
  const last = id ?? name;
  return last === undefined ? path : `${path}/${encodeURIComponent(last)}`;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
