mod post;
mod stream;
