//! The other end of a connection.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;

/// The address that a request's connection comes from. No header is believed: anybody can write one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub(super) IpAddr);

impl<S: Send + Sync> FromRequestParts<S> for Peer {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let connected = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        // A router that is not served from a socket has one peer, which is this machine.
        Ok(Self(connected.map_or(Ipv4Addr::LOCALHOST.into(), |ConnectInfo(peer)| peer.ip())))
    }
}
