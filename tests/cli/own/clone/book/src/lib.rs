//! Orders, and a way to go through them.
pub struct Order {
    pub item: usize,
    pub count: u64,
}

pub struct Book {
    pub orders: Vec<Order>,
}

impl Book {
    pub fn new(n: usize) -> Book {
        let orders = (0..n).map(|i| Order { item: i * 7 % 50, count: 1 + i as u64 % 9 });
        Book { orders: orders.collect() }
    }

    #[inline(always)]
    pub fn sum<F: Fn(&Order) -> u64>(&self, price: F) -> u64 {
        self.orders.iter().map(|order| price(order)).fold(0, |sum, price| sum.wrapping_add(price))
    }
}
