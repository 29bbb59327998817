//! A way to the database that a test can close, as a network does.

use std::net::SocketAddr;

use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use super::OwnDatabase;
use crate::db::DatabaseUrl;

/// Passes bytes on until it is cut; then nobody answers at its address.
#[derive(Debug)]
pub(crate) struct Proxy {
    address: SocketAddr,
    server: String,
    listening: Option<JoinHandle<()>>,
}

impl Proxy {
    /// In front of PostgreSQL, and the address of the database by this way.
    pub(crate) async fn before_postgres(own: &OwnDatabase) -> (Self, DatabaseUrl) {
        let address = own.app_url();
        let (login, rest) = address.split_once('@').expect("a login");
        let (server, database) = rest.split_once('/').expect("a database");
        let port = if server.contains(':') { "" } else { ":5432" };
        let proxy = Self::before(&format!("{server}{port}")).await;
        let url = format!("{login}@{}/{database}", proxy.address);
        (proxy, url.parse().expect("an address"))
    }

    async fn before(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let listening = Some(tokio::spawn(pass_on(listener, server.to_owned())));
        Self { address, server: server.to_owned(), listening }
    }

    /// Breaks every connection, and takes no new one.
    pub(crate) async fn cut(&mut self) {
        if let Some(listening) = self.listening.take() {
            listening.abort();
            let _ = listening.await;
        }
    }

    /// Lets everybody through again.
    pub(crate) async fn mend(&mut self) {
        let listener = TcpListener::bind(self.address).await.expect("the port is free again");
        self.listening = Some(tokio::spawn(pass_on(listener, self.server.clone())));
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        if let Some(listening) = &self.listening {
            listening.abort();
        }
    }
}

/// Its connections end with it.
async fn pass_on(listener: TcpListener, server: String) {
    let mut connections = tokio::task::JoinSet::new();
    while let Ok((mut near, _)) = listener.accept().await {
        let server = server.clone();
        connections.spawn(async move {
            let Ok(mut far) = TcpStream::connect(server).await else { return };
            let _ = copy_bidirectional(&mut near, &mut far).await;
        });
    }
}
