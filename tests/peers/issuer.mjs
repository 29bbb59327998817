// An issuer of sign-in tokens: one key of each algorithm, a JWKS, and tokens as they are asked for.
//
//   node issuer.mjs
//
// Prints {"issuer": "http://127.0.0.1:PORT"}. GET /jwks.json lists the public keys. GET /token?alg=RS256&sub=…&aud=…
// answers a token of ten minutes; GET /rotate makes new keys and forgets the old ones. Ends when its standard input
// closes.

import { createServer } from "node:http";

import { SignJWT, exportJWK, generateKeyPair } from "jose";

const ALGORITHMS = ["RS256", "ES256", "EdDSA"];

let generation = 0;
let keys = await generate();

const server = createServer(async (request, response) => {
  const url = new URL(request.url, issuer());
  if (url.pathname === "/jwks.json") return answer(response, JSON.stringify({ keys: keys.map((key) => key.listed) }));
  if (url.pathname === "/rotate") {
    keys = await generate();
    return answer(response, "{}");
  }
  if (url.pathname !== "/token") return response.writeHead(404).end();
  const { alg, sub, aud } = Object.fromEntries(url.searchParams);
  const key = keys.find((one) => one.listed.alg === alg);
  const token = new SignJWT({ email: "somebody@elsewhere.example", roles: ["head_teacher"] })
    .setProtectedHeader({ alg, kid: key.listed.kid, typ: "JWT" })
    .setIssuer(issuer())
    .setSubject(sub)
    .setAudience(aud)
    .setIssuedAt()
    .setNotBefore("0s")
    .setExpirationTime("10m");
  return answer(response, await token.sign(key.secret));
});
server.listen(0, "127.0.0.1", () => console.log(JSON.stringify({ issuer: issuer() })));
process.stdin.resume().on("end", () => process.exit());

function issuer() {
  return `http://127.0.0.1:${server.address().port}`;
}

async function generate() {
  generation += 1;
  return Promise.all(
    ALGORITHMS.map(async (alg) => {
      const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
      const listed = { ...(await exportJWK(publicKey)), kid: `${alg}-${generation}`, alg, use: "sig" };
      return { listed, secret: privateKey };
    }),
  );
}

function answer(response, text) {
  response.writeHead(200, { "content-type": "application/json" }).end(text);
}
